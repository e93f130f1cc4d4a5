import type { Address } from '@lineage/referral-api'
import { toWalletKitError, type WalletKit } from '@lineage/wallet-kit/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { bsc } from 'viem/chains'

const abi = parseAbi(['function bind(address referrer)'])

type Parameters = { kit: WalletKit; contract: Address; referrer: Address; description: string; onSent: () => void }

/** Asks the wallet to bind its account to a referrer, and waits until the chain has said yes or no. */
export async function sendBind({
  kit,
  contract,
  referrer,
  description,
  onSent,
}: Parameters): Promise<'bound' | 'rejected' | 'failed' | 'unknown'> {
  let hash: Address
  try {
    const wallet = await kit.getWalletClient()
    const account = wallet.account
    if (!account) return 'failed'
    hash = await wallet.sendTransaction({
      account,
      chain: bsc,
      to: contract,
      data: encodeFunctionData({ abi, args: [referrer] }),
    })
  } catch (error) {
    return toWalletKitError(error).name === 'UserRejectedError' ? 'rejected' : 'failed'
  }
  kit.addTransaction({ hash, description })
  onSent()
  try {
    const receipt = await waitForTransactionReceipt(kit.getClient(bsc.id), { hash, timeout: 60_000 })
    return receipt.status === 'success' ? 'bound' : 'failed'
  } catch {
    return 'unknown'
  }
}
