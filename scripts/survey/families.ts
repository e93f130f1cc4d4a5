/** An argument of an event, and what the contract writes into it. */
export type Argument = {
  name: string
  type: string
  indexed: boolean
  holds: 'member' | 'referrer' | 'level' | 'id' | 'number' | 'nothing'
}

/** An event of a family, and when its contract emits it: at a bind, at each action, or for each level above. */
export type FamilyEvent = { name: string; inputs: Argument[]; on: 'bind' | 'action' | 'level' }

/** How a contract keeps the referrers, and whether a view returns them. */
type Kept = {
  form: 'mapping' | 'struct' | 'tuple' | 'private' | 'id'
  name: string
  /** Number of values before the referrer. */
  before: number
  /** A further input of the view. */
  input: 'level' | 'address' | undefined
}

/** One family of the survey, as far as its row tells how it behaves. */
export type Family = {
  number: string
  deployments: number
  /** Class and reason of the survey. */
  before: string
  why: string
  trigger: 'receipt' | 'twoWay' | 'call' | 'operator'
  events: FamilyEvent[]
  /** Who moves another token at an action. */
  payment: 'member' | 'contract' | undefined
  kept: Kept
  /** Whether an administrator moves members without a log. */
  silent: boolean
  /** What the row does not tell. */
  assumptions: string[]
}

/** Reads the families of a table in Markdown, whose columns are those of the survey. */
export function parseFamilies(markdown: string): Family[] {
  const rows = markdown.split('\n').filter((line) => /^\| *\d+ *\|/.test(line))
  return rows.map((row) => toFamily(row.split('|').map((cell) => cell.trim())))
}

type Row = { number: string; why: string; bound: string; emitted: string; view: string; logs: string }

function toFamily(cells: readonly string[]): Family {
  const [, number = '', , , count = '', before = '', why = '', bound = '', emitted = '', view = '', logs = ''] = cells
  const row = { number, why, bound, emitted, view, logs }
  const assumptions: string[] = []
  const trigger = triggerOf(row)
  const kept = keptOf(row, assumptions)
  const events = eventsOf(row, trigger, assumptions)
  return {
    ...{ number, deployments: Number(count), before, why, trigger, events, kept },
    payment: paymentOf(row, assumptions),
    silent: why.startsWith('silent'),
    assumptions,
  }
}

function triggerOf({ bound, why, logs }: Row): Family['trigger'] {
  if (bound.includes('two-way')) return 'twoWay'
  if (bound.startsWith('token transfer') || bound.includes('_transfer(')) return 'receipt'
  // Its own transfers are named as the log, so the function named is that of the administrator.
  if (logs === 'Transfer of the token itself' && why.startsWith('silent')) return 'twoWay'
  return bound.startsWith('by an operator') ? 'operator' : 'call'
}

function paymentOf({ why, bound, logs }: Row, assumptions: string[]): Family['payment'] {
  const isTold = why.includes("another token's log") || logs.includes('another token')
  // A function of the name takes USDT.
  if (!isTold && !(logs === 'own event' && /usdt/i.test(bound))) return undefined
  const payment = /claim|airdrop|withdraw|constructor/i.test(bound) ? 'contract' : 'member'
  assumptions.push(`the ${payment} pays with the other token`)
  return payment
}

/** Values before the referrer in a struct: the table does not tell, so they differ from row to row. */
const positions = 12

function keptOf({ number, view, why }: Row, assumptions: string[]): Kept {
  const [, kind, name = ''] = /^(struct |tuple )?(\w+)\(/.exec(view) ?? []
  const before = Number(number) % positions
  if (why.includes('gives an id')) {
    assumptions.push('members are numbered, and private storage leads from an id to its referrer’s')
    return { form: 'id', name: 'records', before: 0, input: undefined }
  }
  if (view === 'none') {
    assumptions.push(Number(number) % 2 ? 'a private mapping' : `a private mapping to a struct, at word ${before}`)
    return { form: 'private', name: 'kept', before: Number(number) % 2 ? 0 : before, input: undefined }
  }
  if (!kind) return { form: 'mapping', name, before: 0, input: undefined }
  if (kind === 'struct ') {
    assumptions.push(`${before} values before the referrer in the struct`)
    return { form: 'struct', name, before, input: undefined }
  }
  const input = /matrix/i.test(name) ? 'level' : why.includes('only the referrer') ? 'address' : undefined
  const position = input ? 0 : before % 7
  const takes = input ? `the member and ${input === 'level' ? 'a level' : 'a default'}` : 'the member'
  assumptions.push(`${name} takes ${takes}, and returns the referrer at position ${position}`)
  return { form: 'tuple', name, before: position, input }
}

function eventsOf(row: Row, trigger: Family['trigger'], assumptions: string[]): FamilyEvent[] {
  const found: FamilyEvent[] = []
  for (const { name, texts, isWhole } of splitEvents(row.emitted)) {
    const inputs = isWhole ? texts.map((text, index) => toArgument(text, index, row.number)) : []
    if (!isWhole || inputs.some(({ type }) => !/^(address|bool|string|u?int\d*|bytes\d*|tuple)$/.test(type)))
      assumptions.push(`without ${name}, which the row does not tell in full`)
    else if (found.every((event) => event.name !== name)) {
      const roles = withRoles(inputs, trigger)
      found.push({ name, inputs: roles, on: timeOf(row, roles) })
    }
  }
  return found
}

/** Splits a cell into its events. The last one may be cut off. */
function splitEvents(cell: string): { name: string; texts: string[]; isWhole: boolean }[] {
  return cell.split(';').flatMap((part) => {
    const [, name, rest = ''] = /^\s*(\w+)\s*\((.*)$/.exec(part.replaceAll('`', '')) ?? []
    if (!name) return []
    const isWhole = rest.trim().endsWith(')')
    const inner = isWhole ? rest.trim().slice(0, -1) : rest
    const texts = inner.split(/,(?![^([]*[)\]])/).map((text) => text.trim())
    // A call that is cut off within its last argument still tells their number.
    const isCall = !/^(address|u?int\d*|string|bool|bytes\d*)\b/.test(texts[0] ?? '')
    return [{ name, texts, isWhole: isWhole || (isCall && texts.at(-1) !== '') }]
  })
}

const solidityTypes: Record<string, string> = { uint: 'uint256', int: 'int256' }

/** Reads an argument of a declaration, as `address indexed user`, or of a call, as `msg.sender`. */
function toArgument(text: string, index: number, number: string): Argument {
  const [, type, indexed, name] = /^(\w+)( indexed)?(?: (\w+))?$/.exec(text) ?? []
  if (type && (/^(address|u?int\d*|string|bool|bytes\d*)$/.test(type) || name))
    return {
      name: name ?? `argument${index}`,
      type: solidityTypes[type] ?? type,
      indexed: indexed !== undefined,
      holds: 'nothing',
    }
  const holds = /msg\.?sender|_addr$|wallet|^(_?user|member)$/i.test(text)
    ? 'member'
    : /^(upline|referral_|referrer|ref)$/.test(text)
      ? 'referrer'
      : /^i$/.test(text)
        ? 'level'
        : /RefId|^invest$/.test(text)
          ? 'id'
          : 'number'
  return {
    name: `argument${index}`,
    ...typeOfValue(text, holds, number),
    holds: /\w\[/.test(text) && holds !== 'id' ? 'member' : holds,
  }
}

function typeOfValue(text: string, holds: Argument['holds'], number: string): Pick<Argument, 'type' | 'indexed'> {
  // A declaration is not told: members are indexed in most, and in every third they are not.
  if (holds === 'member' || holds === 'referrer') return { type: 'address', indexed: Number(number) % 3 !== 0 }
  if (/^address\(|Address$/.test(text)) return { type: 'address', indexed: false }
  if (text === 'uid') return { type: 'string', indexed: false }
  if (/^\w+\[\w+\]$/.test(text)) return { type: 'tuple', indexed: false }
  const [, width] = /^(uint\d+)\(/.exec(text) ?? []
  return { type: width ?? (text === 'plan' ? 'uint8' : 'uint256'), indexed: holds === 'level' }
}

/** Says for each argument of a declaration what it holds, by its name. */
function withRoles(inputs: readonly Argument[], trigger: Family['trigger']): Argument[] {
  const isTransfer = trigger === 'receipt' || trigger === 'twoWay'
  const isReferrer = ({ name }: Argument) =>
    /referrer|upline|invit|partner|parent|superior/i.test(name) || (isTransfer && name === 'sender')
  const open = inputs.filter(({ type, holds, name }) => type === 'address' && holds === 'nothing' && name !== 'token')
  const named = open.find(isReferrer)
  const [first, second] = named ? [open.find((input) => input !== named), named] : open
  return inputs.map((input) => {
    if (input === first) return { ...input, holds: 'member' }
    if (input === second) return { ...input, holds: 'referrer' }
    if (/^_?(level|lvl)$/.test(input.name)) return { ...input, holds: 'level' }
    return input.holds === 'nothing' && input.type !== 'address' ? { ...input, holds: 'number' } : input
  })
}

function timeOf({ why }: Row, inputs: readonly Argument[]): FamilyEvent['on'] {
  const isPerLevel = inputs.some(({ holds }) => holds === 'level') || why.startsWith('reward event')
  if (isPerLevel) return 'level'
  const namesBoth = ['member', 'referrer'].every((role) => inputs.some(({ holds }) => holds === role))
  return namesBoth && !why.startsWith('event ') ? 'bind' : 'action'
}
