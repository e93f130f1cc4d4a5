import type { Node, ObjectExpression, ObjectProperty } from '@babel/types'

/** Returns the properties of an object that have a plain name as key. */
export const propertiesOf = (object: ObjectExpression): (ObjectProperty & { name: string })[] =>
  object.properties.flatMap((it) => {
    if (it.type !== 'ObjectProperty' || it.computed) return []
    const name = it.key.type === 'Identifier' ? it.key.name : it.key.type === 'StringLiteral' ? it.key.value : undefined
    return name === undefined ? [] : [{ ...it, name }]
  })

/** Returns the value of an object's property. */
export const findValue = (object: ObjectExpression, name: string): Node | undefined =>
  propertiesOf(object).find((it) => it.name === name)?.value
