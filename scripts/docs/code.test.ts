import { beforeAll, describe, expect, test } from 'vitest'
import { compileBlocks, isCode, timeLimit } from './compileBlocks.ts'
import { type KitExport, readKitExports } from './kitExports.ts'
import { codeBlocks, markdownFiles, readText } from './markdown.ts'

const folder = 'packages/wallet-kit'
const optionsFile = `${folder}/options.md`
const guides = markdownFiles.filter((file) => codeBlocks(readText(file)).some(isCode))

let all: KitExport[]
let examples: Map<string, string>
let errors: Map<string, string[]>
beforeAll(() => {
  all = readKitExports()
  const found = all.flatMap(({ entry, ...it }) =>
    [it, ...it.members]
      .filter(({ examples }) => examples.length > 0)
      .map(({ name, examples }) => [`${folder}/${entry}-${name}.md`, examples.map(toBlock).join('\n')] as const),
  )
  examples = new Map(found)
  const texts = guides.map((file) => [file, readText(file)] as const)
  // One program: each would check the types of the kit and its packages again.
  errors = compileBlocks(new Map([...texts, ...examples, [optionsFile, toBlock(optionsExample)]]))
}, timeLimit)

describe('the code of the documentation compiles under strict and exactOptionalPropertyTypes', () => {
  test.each(guides)('%s', (file) => expect(errors.get(file)).toEqual([]))
})

/** Returns the names of the exports that match, each with its entry. */
const namesOf = (test: (it: KitExport) => boolean) => all.filter(test).map(({ entry, name }) => `${entry}: ${name}`)

describe('the reference of the kit', () => {
  test('behavior: every export is described, except types whose name says which function they belong to', () => {
    expect(all.length).toBeGreaterThan(100)
    const ofFunction = /(Parameters|Options|Props|Variables|ReturnType)$/
    expect(namesOf(({ name, words }) => words.length < 10 && !ofFunction.test(name))).toEqual([])
  })

  test('behavior: every function, hook and component has an example that uses it', () => {
    const functions = all.filter(({ isFunction }) => isFunction)
    expect(functions.length).toBeGreaterThan(40)
    const shows = (name: string, example: string) => new RegExp(`\\b${name}\\b`).test(example)
    expect(
      functions.flatMap(({ name, examples }) => (examples.some((example) => shows(name, example)) ? [] : [name])),
    ).toEqual([])
  })

  test('behavior: every parameter of a function or method is described', () => {
    const functions = all.flatMap((it) => [it, ...it.members])
    expect(functions.length).toBeGreaterThan(400)
    expect(
      functions.flatMap(({ name, parametersWithoutWords }) => parametersWithoutWords.map((one) => `${name}: ${one}`)),
    ).toEqual([])
  })

  test('behavior: every example compiles under strict and exactOptionalPropertyTypes, also those of members', () => {
    const found = [...errors].filter(([file, found]) => examples.has(file) && found.length > 0)
    expect(examples.size).toBeGreaterThan(60)
    expect(Object.fromEntries(found)).toEqual({})
  })

  test('behavior: an option may be undefined, and every mutation takes options of its own', () =>
    expect(errors.get(optionsFile)).toEqual([]))
})

/**
 * Creates a block from an example: inside a function, so that it may `return`, with the names it uses without
 * declaring them.
 */
function toBlock(example: string): string {
  const code = example.replace(/^```.*$/gm, '').trim()
  const isModule = /^(import|export|declare module)\b/m.test(code)
  const body = isModule ? code : `export async function example() {\n${code}\n}`
  const used = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  const declared = new Set([...code.matchAll(/(?:const|function|class|let) (\w+)/g)].map(([, name]) => name ?? ''))
  const exported = new Map(all.map(({ entry, name }) => [name, entry]))
  const imports = [...exported].filter(([name]) => used.has(name) && !declared.has(name))
  const preamble = [
    ...imports.map(
      ([name, entry]) => `import { ${name} } from '@lineage/wallet-kit${entry === 'index' ? '' : `/${entry}`}'`,
    ),
    ...Object.entries(given).flatMap(([name, text]) => (used.has(name) && !declared.has(name) ? [text] : [])),
  ]
  return `<!-- ts: ${preamble.join('\n')} -->\n\`\`\`tsx\n${body}\n\`\`\`\n`
}

const optionsExample = `export function Example({ chainId, number, enabled, text, loadCoinbase }: {
  chainId: number | undefined
  number: number | undefined
  enabled: boolean | undefined
  text: string | undefined
  loadCoinbase: DefaultWalletsOptions['loadCoinbase']
}) {
  defaultWallets({ loadCoinbase })
  const query = { enabled, staleTime: number, gcTime: number, refetchInterval: number, retry: enabled }
  useBalance({ address: token, chainId, query })
  useReadContract({ address: token, abi: erc20Abi, functionName: 'decimals', chainId, query })
  useTransactionReceipt({ hash, chainId, confirmations: undefined, query })
  useCapabilities({ chainId, query })
  const onSuccess = () => show('sent')
  const { mutateAsync: write } = useWriteContract()
  const { mutateAsync: sign } = useSignTypedData()
  const { mutateAsync: call } = useSendCalls()
  const { mutateAsync: transfer } = useSendTransaction()
  const typed = { types: { Vote: [{ name: 'for', type: 'bool' }] }, primaryType: 'Vote', message: { for: true } } as const
  const send = () => [
    write({ address: token, abi: erc20Abi, functionName: 'transfer', args: [friend, 1n], chainId, description: text }, { onSuccess }),
    sign(typed, { onSuccess }),
    call({ calls: [{ to: shop }], description: text, atomic: undefined, fallback: undefined }, { onSuccess }),
    transfer({ to: shop, value: undefined, description: text }, { onSuccess }),
    kit.connect({ walletId: 'safe', signal: undefined, onUri: undefined }),
    kit.addTransaction({ hash, description: '', confirmations: undefined }),
  ]
  createWalletKitTheme({ accent: text, radius: undefined, colorScheme: text })
  return <><ConnectButton label={text} showBalance={undefined} /><button type="button" onClick={send}>Send</button></>
}`

const kit = '@lineage/wallet-kit'

/** Names that examples may use without declaring them. */
const given: Record<string, string> = {
  kit: `declare const kit: import('${kit}/core').WalletKit`,
  config: `declare const config: import('${kit}/core').WalletKitConfig`,
  options: `declare const options: import('${kit}/siwe-server').SiweServerOptions`,
  definition: `declare const definition: import('${kit}/core').WalletDefinition`,
  acme: `declare const acme: import('${kit}/core').WalletDefinition`,
  state: `declare const state: import('${kit}/core').WalletKitState`,
  provider: "declare const provider: import('viem').EIP1193Provider",
  client: "declare const client: import('viem').PublicClient",
  walletClient: "declare const walletClient: import('viem').WalletClient",
  calls: "declare const calls: { to: import('viem').Address }[]",
  price: 'declare const price: bigint',
  request: 'declare const request: Request',
  hash: "declare const hash: import('viem').Hash",
  token: "declare const token: import('viem').Address",
  usdt: "declare const usdt: import('viem').Address",
  shop: "declare const shop: import('viem').Address",
  friend: "declare const friend: import('viem').Address",
  order: "declare const order: import('viem').Hex",
  show: 'declare function show(text: string): void',
  send: 'declare function send(value: unknown): void',
  http: "import { http } from 'viem'",
  bsc: "import { bsc } from 'viem/chains'",
  mainnet: "import { mainnet } from 'viem/chains'",
  getEnsName: "import { getEnsName } from 'viem/actions'",
  isHash: "import { isHash } from 'viem'",
  erc20Abi: "import { erc20Abi } from 'viem'",
  parseEther: "import { parseEther } from 'viem'",
  createConfig: "import { createConfig } from 'wagmi'",
  Address: "import type { Address } from 'viem'",
  createSiweMessage: "import { createSiweMessage } from 'viem/siwe'",
}
