import type { Node, ObjectExpression, ObjectProperty } from '@babel/types'

/** The properties of an object that are written with their names. */
export const propertiesOf = (object: ObjectExpression): (ObjectProperty & { name: string })[] =>
  object.properties.flatMap((it) => {
    if (it.type !== 'ObjectProperty' || it.computed) return []
    const name = it.key.type === 'Identifier' ? it.key.name : it.key.type === 'StringLiteral' ? it.key.value : undefined
    return name === undefined ? [] : [{ ...it, name }]
  })

/** The value of a property of an object. */
export const findValue = (object: ObjectExpression, name: string): Node | undefined =>
  propertiesOf(object).find((it) => it.name === name)?.value
