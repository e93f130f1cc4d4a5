import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs, styleText } from 'node:util'
import { parseAddress, parseNodeUrl } from '@lineage/communities'
import { type AbiEvent, type Address, isAddress, parseAbiItem } from 'viem'
import { createNodes } from '../nodes/createNodes.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { SettingError } from '../settings.ts'
import type { Way } from './findWays.ts'
import type { Finding, Inspection, InspectOptions } from './Inspection.ts'
import { inspectContract } from './inspectContract.ts'

const usage = `Usage: npm run inspect ADDRESS [URL…] [-- OPTIONS]

  ADDRESS              contract whose members are to be read
  URL, --rpc URL       node of BNB Smart Chain; LINEAGE_RPC_URLS by default
  --json               prints JSON
  --write FILE         writes the configuration to a file that does not exist yet
  --start-block BLOCK  block of the deployment
  --view VIEW          the view that returns the referrer: ABI text, or JSON as "parent" of the configuration
  --event EVENT        ABI text of an event of the contract, more than once if needed
  --members FILE       some addresses of members, one in each line`

/** Inspects a contract, prints what was found, and writes the configuration. Returns the exit code. */
export async function inspectCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { address, urls, values } = readArguments(args, env)
  const nodes = createNodes({ urls, log: (message) => process.stderr.write(`${message}\n`) })
  const options = await readOptions(values)
  const inspection = await inspectContract({ address, nodes, ...options }).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error
    throw new SettingError(`The contract cannot be inspected: ${error.message.replace(/\.+$/, '')}. Name another node.`)
  })
  const text = values.json ? JSON.stringify(inspection, null, 2) : format(inspection, process.stdout)
  process.stdout.write(`${text}\n`)
  if (values.write !== undefined && inspection.community) await write(values.write, inspection.community)
  return inspection.community ? 0 : 2
}

function readArguments(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(args)
  const [text, ...rest] = positionals
  if (text === undefined) throw new SettingError(usage)
  const parsed = parseAddress(text)
  if (parsed.status === 'malformed')
    throw new SettingError(`"${text.slice(0, 80)}" is not an address: write 0x and 40 hex digits.`)
  if (parsed.status === 'checksum')
    throw new SettingError(`${text} has a wrong checksum: check it for a typo, or write it in lower case.`)
  const given = [...rest, ...(values.rpc ?? [])]
  const urls = (given.length > 0 ? given : (env.LINEAGE_RPC_URLS ?? '').split(',')).flatMap((url) => url.trim() || [])
  if (urls.length === 0)
    throw new SettingError('Name a node: its URL after the address, --rpc URL, or LINEAGE_RPC_URLS.')
  const wrong = urls.findIndex((url) => !parseNodeUrl(url))
  if (wrong >= 0) throw new SettingError(`Node ${wrong + 1} is not an http or https URL.`)
  return { address: parsed.address, urls, values }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const list = { type: 'string', multiple: true } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ json: { type: 'boolean' }, rpc: list, write: text, 'start-block': text },
        ...{ view: text, event: list, members: text },
      },
    })
  } catch (error) {
    throw new SettingError(`${(error as Error).message}\n\n${usage}`)
  }
}

type Values = ReturnType<typeof parse>['values']

async function readOptions(values: Values): Promise<Omit<InspectOptions, 'address' | 'nodes'>> {
  const start = values['start-block']
  if (start !== undefined && !/^\d{1,12}$/.test(start))
    throw new SettingError('--start-block must be the number of a block.')
  return {
    startBlock: start === undefined ? undefined : Number(start),
    parent: values.view === undefined ? undefined : readView(values.view),
    events: (values.event ?? []).map(readEvent),
    members: values.members === undefined ? [] : await readMembers(values.members),
  }
}

function readView(text: string): Way['config'] {
  if (!text.trim().startsWith('{')) return { view: text }
  try {
    return JSON.parse(text) as Way['config']
  } catch {
    throw new SettingError(
      '--view is neither ABI text nor JSON: write "function name(address) view returns (address)".',
    )
  }
}

function readEvent(text: string): AbiEvent {
  const form = 'write "event Name(address indexed member, address indexed referrer)"'
  try {
    const item = parseAbiItem(text) as AbiEvent
    if (item.type === 'event' && item.inputs.every(({ name }) => name)) return item
  } catch {}
  throw new SettingError(`--event is no event with named arguments: ${form}.`)
}

async function readMembers(file: string): Promise<Address[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new SettingError(`--members: ${file} cannot be read.`)
  })
  const members = text.match(/0x[0-9a-f]{40}\b/gi) ?? []
  if (members.length === 0) throw new SettingError(`--members: ${file} holds no address.`)
  return members.map((one) => one.toLowerCase()).filter((one): one is Address => isAddress(one))
}

async function write(file: string, community: object): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify({ communities: [community] }, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? 'it exists already: add the entry by hand'
        : 'it cannot be written'
    throw new SettingError(`--write: ${file}: ${reason}.`)
  }
}

const marks = { found: ['green', '✓'], guess: ['yellow', '?'], missing: ['red', '✗'] } as const

/** Returns the inspection as text, in colours if it is shown on a terminal. */
function format({ community, findings, doubts }: Inspection, stream: NodeJS.WriteStream): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream })
  const line = ({ about, text, evidence, level }: Finding) => {
    const [color, mark] = marks[level]
    return `${paint(color, mark)} ${about.padEnd(10)} ${plain(text)}\n             ${paint('dim', plain(evidence))}`
  }
  const doubt = ({ question, settle }: Inspection['doubts'][number]) =>
    `${paint('yellow', '?')} ${plain(question)}\n  ${plain(settle)}`
  return [
    ...findings.map(line),
    ...(doubts.length > 0 ? ['', 'Open questions', ...doubts.map(doubt)] : []),
    '',
    community
      ? `Configuration\n${JSON.stringify({ communities: [community] }, null, 2)}`
      : paint('red', 'No way from a member to its referrer was found, so there is no configuration.'),
  ].join('\n')
}

/** Removes characters that a terminal would obey, because texts of the contract are among them. */
const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
