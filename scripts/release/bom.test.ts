import { expect, test } from 'vitest'
import { findClosed, isOpen, readBundled } from './bom.ts'

test.each([
  ['MIT', true],
  ['(MIT OR CC0-1.0)', true],
  ['GPL-3.0-only OR MIT', true],
  ['MIT AND Apache-2.0', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
])('behavior: %j is open: %s', (expression, expected) => {
  expect(isOpen(expression)).toBe(expected)
})

test('behavior: components with another licence, or with none, are named', () => {
  expect(
    findClosed([
      { name: 'a', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] },
      { group: '@x', name: 'b', version: '2.0.0', licenses: [{ license: { name: 'Community License' } }] },
      { name: 'c', version: '3.0.0' },
      { name: 'd', version: '4.0.0', licenses: [{ expression: 'BUSL-1.1' }] },
    ]),
  ).toEqual(['@x/b@2.0.0: Community License', 'c@3.0.0: no licence', 'd@4.0.0: BUSL-1.1'])
})

test('behavior: packages inside a bundle are read from its licence texts', () => {
  const texts =
    '@scope/one 1.2.3 (Apache-2.0)\n\nApache License (Version 2)\n---\n\ntwo 4.5.6 (MIT)\n\nCopyright (c) 2020\n'
  expect(readBundled(texts)).toEqual([
    { group: '@scope', name: 'one', version: '1.2.3', licenses: [{ expression: 'Apache-2.0' }] },
    { name: 'two', version: '4.5.6', licenses: [{ expression: 'MIT' }] },
  ])
})
