import { type AbiEvent, parseAbiItem, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { bindPresets } from './presets.ts'
import { type KnownEvent, knownEvents, knownViews } from './signatures.ts'

const community = { id: 'any', name: 'Any', chainId: 56, address: '0x00000000000000000000000000000000000c0de1' }
const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const parse = (entry: object) => parseConfig({ communities: [{ ...community, startBlock: 1, ...entry }] })

test('behavior: each known view is a way to a referrer that a configuration accepts', () => {
  for (const parent of knownViews)
    expect(() => parse({ candidates: [{ event: transfer, members: ['to'] }], parent })).not.toThrow()
})

function toEntry({ role, ...source }: KnownEvent): object {
  if (role === 'bind') return source
  if (role === 'candidate') return { candidates: [source], parent: 'function inviter(address) view returns (address)' }
  const token = { symbol: 'BNB', decimals: 18 }
  return { preset: 'upline', [`${role}s`]: source, tokens: { [role]: token } }
}

test('behavior: each known event is a source that a configuration accepts', () => {
  for (const event of knownEvents) expect(() => parse(toEntry(event))).not.toThrow()
})

test('behavior: no bind event is known twice', () => {
  const binds = knownEvents.flatMap(({ role, event }) => (role === 'bind' ? event : []))
  const texts = [...binds, ...Object.values(bindPresets).map(({ event }) => event)]
  const shapes = texts.map((text) => {
    const event = parseAbiItem(text) as AbiEvent
    return [toEventSelector(event), ...event.inputs.map(({ indexed }) => indexed ?? false)].join()
  })
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) < at)).toEqual([])
})
