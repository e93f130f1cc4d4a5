// @vitest-environment node
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  concatHex,
  createTestClient,
  custom,
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
  serializeErc6492Signature,
  serializeErc8010Signature,
  size,
  type Transport,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { contractWallets } from '../../test/contractWallets.ts'
import { verifySignature } from './verifyRequest.ts'

const owner = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const stranger = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const abi = parseAbi(['constructor(address owner)', 'function deploy(address owner) returns (address)'])
const walletCode = encodeDeployData({ abi, bytecode: contractWallets.wallet, args: [owner.address] })

let chain: Awaited<ReturnType<typeof runAnvil>>
let node: ReturnType<typeof createNode>
const createNode = (rpcUrl: string) =>
  createTestClient({ account: owner, chain: bsc, mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
let factory: Address

async function deploy(data: Hex): Promise<Address> {
  const { contractAddress } = await node.sendTransactionSync({ data })
  return contractAddress as Address
}

beforeAll(async () => {
  chain = await runAnvil()
  node = createNode(chain.url)
  factory = await deploy(contractWallets.factory)
})
afterAll(() => chain.stop())

const write = (address: Address) =>
  createSiweMessage({
    version: '1',
    domain: 'app.example',
    uri: 'https://app.example',
    chainId: 56,
    nonce: 'abcdefgh12345678',
    address,
  })

async function check(address: Address, by = owner, change: (signature: Hex) => Hex = (signature) => signature) {
  const message = write(address)
  const signature = change(await by.signMessage({ message }))
  const transport = http(chain.url, { retryCount: 0 })
  return verifySignature({ message, signature, address, transports: [transport], timeout: 10_000 })
}

test('a contract wallet verifies the signature (ERC-1271)', async () => {
  const wallet = await deploy(walletCode)
  expect(await check(wallet)).toBe('valid')
  expect(await check(wallet, stranger)).toBe('invalid')
  expect(await check(wallet, owner, (signature) => signature.slice(0, -2) as Hex)).toBe('invalid')
})

test('a contract wallet that is not deployed yet (ERC-6492)', async () => {
  const wallet = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: `0x${'0'.repeat(64)}`,
    bytecode: walletCode,
  })
  const data = encodeFunctionData({ abi, functionName: 'deploy', args: [owner.address] })
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: factory, data, signature })
  expect(await check(wallet, owner, wrap)).toBe('valid')
  expect(await check(wallet, stranger, wrap)).toBe('invalid')
  expect(await check(wallet)).toBe('invalid')
  expect(await node.getCode({ address: wallet })).toBeUndefined()
})

test.each([
  ['of another account', stranger, (signature: Hex) => signature],
  ['that is too short', owner, (signature: Hex) => signature.slice(0, 80) as Hex],
  ['of 64 bytes', owner, (signature: Hex) => signature.slice(0, 130) as Hex],
  ['that is too long', owner, (signature: Hex) => `${signature}00` as Hex],
])('attack: an account with a signature %s', async (_, by, change) => {
  expect(await check(owner.address, by, change)).toBe('invalid')
})

test.each<[string, Hex]>([
  ['reverts', '0x5f5ffd'],
  ['runs out of gas', '0x5b5f56'],
  ['uses an invalid opcode', '0xfe'],
  ['returns nothing', '0x00'],
  ['returns another value', '0x60015f5260205ff3'],
])('attack: a contract wallet whose check %s', async (_, bytecode) => {
  const address = '0x00000000000000000000000000000000000Face5'
  await node.setCode({ address, bytecode })
  expect(await check(address)).toBe('invalid')
})

/** Returns a contract that answers every call with this error. */
const revertWith = (error: Hex) => {
  const length = numberToHex(size(error), { size: 2 })
  // PUSH2 length, PUSH1 12, PUSH0, CODECOPY, PUSH2 length, PUSH0, REVERT, and from byte 12 the error.
  return concatHex(['0x61', length, '0x600c5f3961', length, '0x5ffd', error])
}

test('attack: a contract wallet that sends the server to another host, again and again (CCIP-Read)', async () => {
  const asked: (string | undefined)[] = []
  const other = createServer(({ url }, response) => {
    asked.push(url)
    response.end('0x')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/{data}`
  const lookup = encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address, string[] urls, bytes callData, bytes4 callback, bytes extraData)']),
    args: [stranger.address, [url], '0x', '0x12345678', '0x'],
  })
  const delegate = '0x00000000000000000000000000000000000Face7'
  await node.setCode({ address: delegate, bytecode: revertWith(lookup) })
  // The account of a person, with the code of a contract: https://eips.ethereum.org/EIPS/eip-7702
  await node.setCode({ address: stranger.address, bytecode: concatHex(['0xef0100', delegate]) })
  onTestFinished(() => node.setCode({ address: stranger.address, bytecode: '0x' }))
  // viem asks such an account with a call that follows CCIP-Read: https://eips.ethereum.org/EIPS/eip-8010
  const authorization = await stranger.signAuthorization({ address: delegate, chainId: bsc.id, nonce: 0 })
  const wrap = (signature: Hex) => serializeErc8010Signature({ authorization, signature })
  const outcome = await check(stranger.address, owner, wrap)
  expect(asked).toEqual([])
  expect(outcome).toBe('invalid')
})

describe('several nodes', () => {
  const right = () => http(chain.url, { retryCount: 0 })
  const silent = () => http('http://127.0.0.1:1', { retryCount: 0 })
  /** Says yes to everything: `true` as the result of a contract. */
  const lying = () => custom({ request: async () => '0x01' })
  const wallet = '0x00000000000000000000000000000000000Face5'

  async function checkWith(nodes: readonly (() => Transport)[], bytecode: Hex, by = stranger) {
    await node.setCode({ address: wallet, bytecode })
    const message = write(wallet)
    const signature = await by.signMessage({ message })
    const transports = nodes.map((create) => create())
    return verifySignature({ message, signature, address: wallet, transports, timeout: 10_000 })
  }

  test.each<[string, (() => Transport)[], string]>([
    ['beside an honest one', [lying, right], 'unknown'],
    ['behind an honest one', [right, lying], 'unknown'],
    ['beside one that is silent', [lying, silent], 'unknown'],
    ['beside two that are silent', [lying, silent, silent], 'unknown'],
  ])('attack: a node that confirms every signature, %s', async (_, nodes, outcome) => {
    expect(await checkWith(nodes, '0x5f5ffd')).toBe(outcome)
  })

  test.each<[string, (() => Transport)[], string]>([
    ['two confirm it', [right, right], 'valid'],
    ['two of three confirm it', [silent, right, right], 'valid'],
    ['one of two is silent', [right, silent], 'unknown'],
    ['none answers', [silent, silent], 'unknown'],
    ['there is no node', [], 'unknown'],
  ])('behavior: a signature of a contract wallet if %s', async (_, nodes, outcome) => {
    // Returns the value that means valid: https://eips.ethereum.org/EIPS/eip-1271
    expect(await checkWith(nodes, '0x631626ba7e60e01b5f5260205ff3')).toBe(outcome)
  })

  test('behavior: a signature that the nodes deny is invalid, also if one is silent', async () => {
    expect(await checkWith([right, right], '0x5f5ffd')).toBe('invalid')
    expect(await checkWith([silent, right], '0x5f5ffd')).toBe('invalid')
  })
})

test('the signature of an account is verified without a node', async () => {
  const message = write(owner.address)
  const signature = await owner.signMessage({ message })
  const transport = http('http://127.0.0.1:1')
  const outcome = await verifySignature({
    message,
    signature,
    address: owner.address,
    transports: [transport],
    timeout: 10_000,
  })
  expect(outcome).toBe('valid')
})

test.each<[string, Parameters<typeof createServer>[1]]>([
  ['never answers', () => {}],
  ['answers an error page', (_, response) => void response.writeHead(502).end('<html>')],
  ['answers invalid JSON', (_, response) => void response.end('nonsense')],
  [
    'fails itself',
    (_, response) =>
      void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } })),
  ],
  [
    'exceeds its own limit',
    (_, response) =>
      void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } })),
  ],
])('error: with a node that %s the result is unknown', async (_, listener) => {
  const server: Server = createServer({}, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const message = write('0x00000000000000000000000000000000000Face5')
    const transport = http(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { retryCount: 0 })
    const signature = await owner.signMessage({ message })
    const address = '0x00000000000000000000000000000000000Face5'
    expect(await verifySignature({ message, signature, address, transports: [transport], timeout: 200 })).toBe(
      'unknown',
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
