import { type Community, type KnownView, knownViews, parseConfig, selectorOf } from '@lineage/communities'
import { type AbiFunction, type Address, concat, type Hex, numberToHex, pad, parseAbiItem } from 'viem'
import { callAll } from '../asked/readParents.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { lookLikeAddresses } from './matchEvents.ts'
import { type Code, type CodeFunction, type CodeMapping, toAddress, wordsOf } from './readCode.ts'

/** A way from a member to an address that may be its referrer. */
export type Way = {
  /** As `parent` of the configuration holds it. */
  config: KnownView | { slot: string; offset?: number }
  /** Position in the list of known views; `undefined` if the name of the view is not known. */
  rank: number | undefined
  /** The function that is called first; `undefined` for a place in the storage. */
  selector: Hex | undefined
}

/** Returns the name of a way to a referrer, as findings mention it. */
export function labelOf({ config }: Way): string {
  if ('slot' in config) return `storage slot ${Number(config.slot)}${config.offset ? `, word ${config.offset}` : ''}`
  const name = /function (\S+?)\(/.exec(config.view)?.[1] ?? config.view
  return config.output === undefined ? name : `${name}, output ${config.output}`
}

type View = { selector: Hex; inputs: readonly string[]; args: readonly (number | string | boolean)[] }
type Context = { nodes: Pick<Nodes, 'request'>; address: Address; block: number }

const parsedViews = knownViews.map((known, rank) => {
  const item = parseAbiItem(known.view) as AbiFunction
  return { known, rank, item, selector: selectorOf(item) }
})

/** Number of members whose answers decide which outputs are addresses. */
const probes = 12

/**
 * Calls every view that takes an address, and lists those with an output that is an address, or an id that a second view
 * turns into one. Without views in the code, those of the dictionary are called.
 */
export async function findWays(context: Context, code: Code, members: readonly Address[]): Promise<Way[]> {
  const own = code.functions.filter(({ kind }) => kind === 'view').flatMap(toViews)
  const views =
    own.length > 0 ? own : parsedViews.flatMap(({ item, selector, known }) => toKnownView(item, selector, known))
  const answers = await askViews(context, views, members.slice(0, probes))
  const direct = views.flatMap((view, at) => {
    const given = answers[at] as Hex[][]
    const [place] = addressPlaces(given)
    const places = place === undefined && returnsOneAddress(view, given) ? [0] : addressPlaces(given)
    return places.map((one) => toWay(view, one, given))
  })
  const ways = [...direct, ...(await findIdWays(context, code, views, answers, members.slice(0, probes)))]
  // The name of a view does not tell which of several outputs is the referrer. One with the outputs of the dictionary has
  // its meaning, although its numbers, such as that of partners, may be ids of others.
  const isOnly = (way: Way) =>
    (isKnown(way) ? direct : ways).filter(({ selector }) => selector === way.selector).length === 1
  return ways.map((way) => ('output' in way.config && !isOnly(way) ? { ...way, rank: undefined } : way))
}

const isKnown = ({ config }: Way) => knownViews.some((known) => known === config)

/** Lists the places of private mappings that may hold a referrer. */
export function listSlots(mappings: readonly CodeMapping[]): Way[] {
  const places = mappings.flatMap(({ slot, value }) =>
    value.includes('mapping') || value.includes('[]')
      ? []
      : // A struct in a mapping is seen as the type of one of its fields.
        Array.from({ length: structWords }, (_, offset) => ({ slot, offset })),
  )
  return places.map(({ slot, offset }) => ({
    config: { slot: numberToHex(slot), ...(offset > 0 && { offset }) },
    ...{ rank: undefined, selector: undefined },
  }))
}

/** Number of words of a struct that may hold a referrer. */
const structWords = 16

/** Returns the community of the contract with one way to a referrer, for asking it as the reader does. */
export function communityWith(address: Address, way: Way, roots: readonly Address[] = []): Community {
  const candidates = [{ event: 'event Any(address member)', members: ['member'] }]
  const { communities } = parseConfig({
    communities: [
      { id: 'any', name: 'any', chainId: 56, address, startBlock: 0, candidates, parent: way.config, roots },
    ],
  })
  return communities[0] as Community
}

/** Lists the calls of a function that takes an address: with other inputs 1, then 0. */
function toViews({ selector, inputs }: CodeFunction): View[] {
  const known = parsedViews.find((one) => one.selector === selector && one.known.args)
  if (known) return toKnownView(known.item, selector, known.known)
  const others = inputs.filter((_, at) => at !== inputs.indexOf('address'))
  if (!inputs.includes('address') || others.length > 2 || !others.every((type) => /^(u?int\d+|bool)$/.test(type)))
    return []
  const valuesOf = (value: number) => others.map((type) => (type === 'bool' ? value === 1 : value))
  return (others.length === 0 ? [[]] : [valuesOf(1), valuesOf(0)]).map((args) => ({ selector, inputs, args }))
}

const toKnownView = (item: AbiFunction, selector: Hex, { args = [] }: KnownView): View[] => [
  { selector, inputs: item.inputs.map(({ type }) => type), args },
]

function encodeCall({ selector, inputs, args }: View, member: Address): Hex {
  const place = inputs.indexOf('address')
  const values = args.toSpliced(place, 0, member)
  return concat([
    selector,
    ...values.map((value) => pad(typeof value === 'string' ? (value as Hex) : numberToHex(Number(value)))),
  ])
}

/** Returns the words that each view returns for each member; none for views that the nodes refuse to run. */
async function askViews(context: Context, views: readonly View[], members: readonly Address[]): Promise<Hex[][][]> {
  const { nodes, address, block } = context
  const calls = views.flatMap((view) =>
    members.map((member) => ({ target: address, callData: encodeCall(view, member) })),
  )
  try {
    const results = await callAll({ ...nodes, block: numberToHex(block) }, calls)
    return views.map((_, at) => results.slice(at * members.length, (at + 1) * members.length).map(wordsOf))
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    if (views.length === 1) return [members.map(() => [])]
    const half = Math.ceil(views.length / 2)
    return [
      ...(await askViews(context, views.slice(0, half), members)),
      ...(await askViews(context, views.slice(half), members)),
    ]
  }
}

/** Returns the positions at which all answers have addresses. */
function addressPlaces(answers: readonly Hex[][]): number[] {
  const given = answers.filter((words) => words.length > 0)
  const length = Math.min(...given.map((words) => words.length), 32)
  if (given.length === 0) return []
  return Array.from({ length }, (_, at) => at).filter((at) => lookLikeAddresses(given.map((words) => words[at])))
}

/** Returns whether a known view returns only an address, which may be one of few digits. */
function returnsOneAddress({ selector }: View, answers: readonly Hex[][]): boolean {
  const known = parsedViews.find((one) => one.selector === selector && one.item.outputs.length === 1)
  const words = answers.flatMap((one) => (one.length === 1 ? one : []))
  return known?.item.outputs[0]?.type === 'address' && words.some(toAddress)
}

function toWay({ selector, inputs, args }: View, place: number, answers: readonly Hex[][]): Way {
  const known = parsedViews.find((one) => one.selector === selector && fitsKnown(one.known, one.item, place, answers))
  const named = parsedViews.find((one) => one.selector === selector)
  const given = args.length > 0 ? { args: [...args] } : {}
  if (known) return { config: known.known, rank: known.rank, selector }
  const view = formatView(named?.item.name ?? selector, inputs, place, 'address')
  return { config: { view, ...(place > 0 && { output: place }), ...given }, rank: named?.rank, selector }
}

/** Returns whether a known view names this output, and has as many outputs as the contract returns. */
function fitsKnown(known: KnownView, { outputs }: AbiFunction, place: number, answers: readonly Hex[][]): boolean {
  const count = Math.max(...answers.map((words) => words.length))
  if (known.next || outputs.length !== count || outputs[place]?.type !== 'address') return false
  return known.output === undefined || known.output === place || outputs[place].name === known.output
}

/** Writes a view with an output of a type at a place. Outputs before it are written as numbers, because they are not read. */
function formatView(name: string, inputs: readonly string[], place: number, type: string): string {
  const outputs = [...Array<string>(place).fill('uint256'), type]
  return `function ${name}(${inputs.join(', ')}) view returns (${outputs.join(', ')})`
}

/**
 * Finds views that return the id or code of a referrer, which a second view turns into another address than the member's.
 * If it turns the id into the member itself, it may also return the id of the referrer.
 */
async function findIdWays(
  context: Context,
  code: Code,
  views: readonly View[],
  answers: readonly Hex[][][],
  members: readonly Address[],
): Promise<Way[]> {
  const inverse = code.functions.filter(
    ({ kind, inputs }) => kind === 'view' && /^(uint\d+|bytes32|bytes)$/.test(inputs.join()),
  )
  const ways: Way[] = []
  for (const [at, view] of views.entries())
    for (const { place, types, takes, ids } of idPlaces(answers[at] as Hex[][]))
      for (const found of inverse.filter(({ inputs }) => types.test(inputs.join()))) {
        const second = takes ? { ...found, inputs: [takes] } : found
        const next = await findNext(context, second, inverse, ids, members)
        if (!next) continue
        const known = parsedViews.find((one) => one.selector === view.selector)
        const config = {
          view: formatView(known?.item.name ?? view.selector, view.inputs, place, second.inputs.join()),
          output: place,
          ...(view.args.length > 0 && { args: [...view.args] }),
          next,
        }
        ways.push({ config, rank: known?.rank, selector: view.selector })
      }
  return ways
}

/**
 * Finds out how a view leads from ids to others than the members: at once, or by the ids of referrers, which this view or another
 * one returns for those of members.
 */
async function findNext(
  context: Context,
  view: CodeFunction,
  inverse: readonly CodeFunction[],
  ids: readonly (Hex | undefined)[],
  members: readonly Address[],
): Promise<KnownView | undefined> {
  const answers = await askIds(context, view, ids)
  const { place, leads } = placeOfAddresses(answers, members)
  if (place === undefined) return undefined
  const last = {
    view: formatView(nameOfNext(view), view.inputs, place, 'address'),
    ...(place > 0 && { output: place }),
  }
  if (leads === 'to others') return last
  for (const between of [view, ...inverse.filter((one) => one.selector !== view.selector)]) {
    if (between.inputs.join() !== view.inputs.join()) continue
    const found = between === view ? answers : await askIds(context, between, ids)
    for (const { place: above, types, ids: idsAbove } of idPlaces(found)) {
      if (!types.test(view.inputs.join())) continue
      const further = placeOfAddresses(await askIds(context, view, idsAbove), members)
      if (further.place !== place || further.leads !== 'to others') continue
      const text = formatView(nameOfNext(between), between.inputs, above, view.inputs.join())
      return { view: text, output: above, next: last }
    }
  }
  return undefined
}

const nextNames = knownViews.flatMap((one) => (one.next ? [parseAbiItem(one.next.view) as AbiFunction] : []))
const nameOfNext = ({ selector }: CodeFunction) =>
  nextNames.find((item) => selectorOf(item) === selector)?.name ?? selector

/** Types of codes as the analysis of the contract tells them. */
const codes = { types: /^(bytes32|uint256)$/, takes: 'bytes32' }
const texts = { types: /^(bytes|string)$/, takes: 'string' }

/** Ids at one position of the answers of a view, encoded as arguments. `types`: those that take them; `takes`: what they are. */
type Ids = { place: number; types: RegExp; takes?: string; ids: (Hex | undefined)[] }

/** Lists the positions of ids: small numbers, words larger than an address, such as codes, or a text that is all of the answer. */
function idPlaces(answers: readonly Hex[][]): Ids[] {
  const given = answers.filter((words) => words.length > 0)
  const length = Math.min(...given.map((words) => words.length), 16)
  if (given.length < 2) return []
  if (given.every(isText))
    return [{ place: 0, ...texts, ids: answers.map((words) => (isText(words) ? concat(words) : undefined)) }]
  return Array.from({ length }, (_, place) => place).flatMap((place) => {
    const values = given.map((words) => BigInt(words[place] as Hex)).filter((value) => value > 0n)
    if (values.length === 0) return []
    const ids = answers.map((words) => words[place])
    if (values.every((value) => value < 2n ** 48n)) return { place, types: /^uint\d+$/, ids }
    return values.every((value) => value >= 2n ** 160n) ? { place, ...codes, ids } : []
  })
}

/** Returns whether an answer is one text, as the ABI encodes it: its place, its length and its bytes. */
function isText([place, length, ...rest]: readonly Hex[]): boolean {
  return Number(place) === 32 && length !== undefined && Math.ceil(Number(length) / 32) === rest.length
}

/** Returns the words that a view returns for each id. */
async function askIds(
  { nodes, address, block }: Context,
  { selector }: CodeFunction,
  ids: readonly (Hex | undefined)[],
): Promise<Hex[][]> {
  const calls = ids.map((id) => ({ target: address, callData: concat([selector, id ?? pad('0x')]) }))
  return (await callAll({ ...nodes, block: numberToHex(block) }, calls)).map(wordsOf)
}

/** Returns the output that is an address, and whether it is mostly that of the member itself. */
function placeOfAddresses(
  answers: readonly Hex[][],
  members: readonly Address[],
): { place: number | undefined; leads: 'back' | 'to others' } {
  const [place] = addressPlaces(answers)
  const found = answers.map((words) => (place === undefined ? undefined : toAddress(words[place])))
  const own = found.filter((one, at) => one && one === members[at]?.toLowerCase())
  const others = found.filter((one, at) => one && one !== members[at]?.toLowerCase())
  return { place, leads: others.length > own.length ? 'to others' : 'back' }
}
