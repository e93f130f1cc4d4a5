/** `node scripts/demo-chain/compile.ts`: compiles our contracts into the artifacts beside their sources. */
/// <reference path="./solc.d.ts" />
import { readFile, writeFile } from 'node:fs/promises'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export type Artifact = {
  contractName: string
  solc: string
  settings: typeof settings
  abi: Abi
  bytecode: Hex
}

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
  const contract = compileSource(file, await readFile(fileOf(name, 'sol'), 'utf8'))[name]
  if (!contract) throw new Error(`${file} has no contract ${name}.`)
  return { contractName: name, solc: solc.version(), settings, ...contract }
}

/** Compiles a source, and returns its contracts by name. Throws with the compiler's messages. */
export function compileSource(file: string, content: string): Record<string, Pick<Artifact, 'abi' | 'bytecode'>> {
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = (output.errors ?? []).map((error) => error.formattedMessage)
  if (problems.length > 0) throw new Error(`${file} does not compile cleanly.\n${problems.join('\n')}`)
  return Object.fromEntries(
    Object.entries(output.contracts?.[file] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as Hex },
    ]),
  )
}

if (import.meta.main)
  for (const name of contractNames)
    await writeFile(artifactFile(name), `${JSON.stringify(await compile(name), null, 2)}\n`)
