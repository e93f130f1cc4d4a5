import { readFile } from 'node:fs/promises'
import solc from 'solc'
import { type Abi, type Address, createWalletClient, type Hex, http, testActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc, mainnet } from 'viem/chains'
import multicall3 from '../../../scripts/demo-chain/contract/Multicall3.json' with { type: 'json' }

type Compiled = Record<string, { abi: Abi; evm: { deployedBytecode: { object: string } } }>

const addresses = {
  // The address that SPACE ID's SDK uses: `getSidAddress('56')` of @siddomains/sidjs 0.1.29.
  NameRegistry: '0x08CEd32a7f3eeC915Ba84415e9C07a7286977956',
  NameResolver: '0x0000000000000000000000000000000000005001',
  OffchainResolver: '0x0000000000000000000000000000000000005002',
  UniversalResolver: mainnet.contracts.ensUniversalResolver.address,
} as const
export const { NameResolver: resolver, OffchainResolver: offchainResolver } = addresses

/** Installs a name registry, ENS's resolver and Multicall3 at their addresses on BNB Smart Chain and Ethereum. */
export async function installNames(rpcUrl: string) {
  const source = await readFile(new URL('NameRegistry.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'NameRegistry.sol': { content: source } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } } },
  }
  const output: { errors?: { formattedMessage: string }[]; contracts?: Record<string, Compiled> } = JSON.parse(
    solc.compile(JSON.stringify(input)),
  )
  const contracts = output.contracts?.['NameRegistry.sol']
  if (!contracts || output.errors) throw new Error(output.errors?.map((it) => it.formattedMessage).join('\n'))

  const client = createWalletClient({
    account: privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'),
    chain: bsc,
    transport: http(rpcUrl),
  }).extend(testActions({ mode: 'anvil' }))
  await client.setCode({
    address: '0xcA11bde05977b3631167028862bE2a173976CA11',
    bytecode: multicall3.runtimeBytecode as Hex,
  })
  for (const [name, address] of Object.entries(addresses))
    await client.setCode({ address, bytecode: `0x${contracts[name]?.evm.deployedBytecode.object}` })

  return async (name: keyof typeof addresses, functionName: string, args: unknown[]) => {
    const abi = contracts[name]?.abi ?? []
    // viem's waiting for a receipt may miss it on a busy machine, and no other block comes.
    await client.writeContractSync({ address: addresses[name] as Address, abi, functionName, args })
  }
}
