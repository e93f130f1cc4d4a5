import { erc20Abi } from 'viem'
import type { bsc, mainnet } from 'viem/chains'
import { expectTypeOf, test } from 'vitest'
import { useReadContract } from '../hooks/reading.ts'
import { useWalletKit } from '../react/hooks/useWalletKit.ts'
import type { KitChainId, WalletKit } from './WalletKit.ts'

// Applies to all files of this package: its tests use only these two chains.
declare module './WalletKit.ts' {
  interface Register {
    kit: WalletKit<readonly [typeof bsc, typeof mainnet]>
  }
}

test('chain ids are those of the registered kit', () => {
  expectTypeOf<KitChainId>().toEqualTypeOf<1 | 56>()
  const read = (chainId: KitChainId) =>
    useReadContract({ address: undefined, abi: erc20Abi, functionName: 'decimals', chainId })
  expectTypeOf<ReturnType<typeof read>['data']>().toEqualTypeOf<number | undefined>()
  // @ts-expect-error 5 is not a chain of the app
  expectTypeOf(read).toBeCallableWith(5)
})

test('useWalletKit returns the registered kit', () => {
  const switchTo = (chainId: KitChainId) => useWalletKit().switchChain({ chainId })
  // @ts-expect-error 5 is not a chain of the app
  expectTypeOf(switchTo).toBeCallableWith(5)
  const read = () => useWalletKit({ shouldThrow: false })?.getClient().chain.id
  expectTypeOf<ReturnType<typeof read>>().toEqualTypeOf<1 | 56 | undefined>()
})
