/** Compiles `contract/Community.sol` into the committed `contract/Community.json`: `node scripts/demo-chain/compile.ts`. */
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

/** Without the metadata hash, so that the bytecode depends on the code alone and not on its comments. */
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

const source = new URL('contract/Community.sol', import.meta.url)
export const artifactFile = new URL('contract/Community.json', import.meta.url)

/** Compiles the community contract with the pinned `solc`; throws with the compiler's own words. */
export async function compile(): Promise<Artifact> {
  const input = {
    language: 'Solidity',
    sources: { 'Community.sol': { content: await readFile(source, 'utf8') } },
    settings,
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = (output.errors ?? []).map((error) => error.formattedMessage)
  const contract = output.contracts?.['Community.sol']?.Community
  if (!contract || problems.length > 0)
    throw new Error(`Community.sol does not compile cleanly.\n${problems.join('\n')}`)
  return {
    contractName: 'Community',
    solc: solc.version(),
    settings,
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
  }
}

if (import.meta.main) await writeFile(artifactFile, `${JSON.stringify(await compile(), null, 2)}\n`)
