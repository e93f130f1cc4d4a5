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

/** Returns the local name of a field in a pattern that reads nothing else, as `x` in `{ field: x }`. */
export function readAlone(pattern: Node, field: string): string | undefined {
  if (pattern.type !== 'ObjectPattern' || pattern.properties.length !== 1) return undefined
  const [property] = pattern.properties
  if (property?.type !== 'ObjectProperty' || property.value.type !== 'Identifier') return undefined
  return property.key.type === 'Identifier' && property.key.name === field ? property.value.name : undefined
}
