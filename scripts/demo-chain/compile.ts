/** `node scripts/demo-chain/compile.ts`: compiles our contracts into the artifacts beside their sources. */
/// <reference path="./solc.d.ts" />
import { readFile, writeFile } from 'node:fs/promises'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

type Compiled = { abi: Abi; bytecode: Hex }

/** The contract that a file is named after, or all contracts of a file without one. */
export type Artifact = { contractName: string; solc: string; settings: typeof settings } & (
  | Compiled
  | { contracts: Record<string, Compiled> }
)

/** Settings of the compiler. Without a metadata hash, the bytecode does not depend on comments. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
} as const

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

/** Folders of the contracts. The page calls Accounts without deploying it. */
const folders = {
  Community: 'contract/',
  Emitter: '../../apps/reader/test/contract/',
  Families: '../../apps/reader/test/contract/',
  Accounts: '../../apps/web/src/features/search/',
} as const
export type ContractName = keyof typeof folders
export const contractNames = Object.keys(folders) as ContractName[]

const fileOf = (name: ContractName, extension: 'sol' | 'json') =>
  new URL(`${folders[name]}${name}.${extension}`, import.meta.url)
export const artifactFile = (name: ContractName) => fileOf(name, 'json')

/** Compiles a contract with the pinned `solc`. Throws with the compiler's messages. */
export async function compile(name: ContractName): Promise<Artifact> {
  const file = `${name}.sol`
  const contracts = compileSource(file, await readFile(fileOf(name, 'sol'), 'utf8'))
  return { contractName: name, solc: solc.version(), settings, ...(contracts[name] ?? { contracts }) }
}

/** Compiles a source, and returns its contracts by name. Throws with the compiler's messages. */
export function compileSource(file: string, content: string): Record<string, Compiled> {
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = (output.errors ?? []).map((error) => error.formattedMessage)
  if (problems.length > 0) throw new Error(`${file} does not compile cleanly.\n${problems.join('\n')}`)
  return Object.fromEntries(
    Object.entries(output.contracts?.[file] ?? {})
      // An abstract contract has no code.
      .filter(([, { evm }]) => evm.bytecode.object !== '')
      .map(([name, { abi, evm }]): [string, Compiled] => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  )
}

if (import.meta.main)
  for (const name of contractNames)
    await writeFile(artifactFile(name), `${JSON.stringify(await compile(name), null, 2)}\n`)
