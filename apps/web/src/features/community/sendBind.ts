import type { Address } from '@lineage/referral-api'
import { toWalletKitError, type WalletKit } from '@lineage/wallet-kit/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { bsc } from 'viem/chains'

const abi = parseAbi(['function bind(address referrer)'])

type Parameters = { kit: WalletKit; contract: Address; referrer: Address; description: string }

/** Asks the wallet to bind its account to a referrer. The kit tracks the transaction. */
export async function sendBind({
  kit,
  contract,
  referrer,
  description,
}: Parameters): Promise<'sent' | 'rejected' | 'failed'> {
  try {
    const wallet = await kit.getWalletClient()
    const account = wallet.account
    if (!account) return 'failed'
    const hash = await wallet.sendTransaction({
      account,
      chain: bsc,
      to: contract,
      data: encodeFunctionData({ abi, args: [referrer] }),
    })
    kit.addTransaction({ hash, description })
    return 'sent'
  } catch (error) {
    return toWalletKitError(error).name === 'UserRejectedError' ? 'rejected' : 'failed'
  }
}
