import type { Community } from '@lineage/communities'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { Nodes } from '../nodes/createNodes.ts'

type Requests = Pick<Nodes, 'request'>

/** Reads a member's referrer at a block from the contract's own view. */
export async function readView(
  { request }: Requests,
  { address, parentView }: Community,
  member: Address,
  block: number,
): Promise<Address> {
  if (!parentView) throw new Error('The community has no parentView.')
  const view = { abi: [parentView.item], functionName: parentView.item.name }
  const data = encodeFunctionData({ ...view, args: [member] })
  const result = await request({ method: 'eth_call', params: [{ to: address, data }, numberToHex(block)] })
  return decodeFunctionResult({ ...view, data: result as Hex }) as unknown as Address
}

/** Returns whether there is a contract at an address. */
export async function hasCode({ request }: Requests, address: Address): Promise<boolean> {
  return (await request({ method: 'eth_getCode', params: [address, 'latest'] })) !== '0x'
}
