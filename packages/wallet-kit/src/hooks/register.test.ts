import { erc20Abi } from 'viem'
import type { bsc, mainnet } from 'viem/chains'
import { expectTypeOf, test } from 'vitest'
import type { WalletKit } from '../core/WalletKit.ts'
import type { KitChainId } from './register.ts'
import { useReadContract } from './useReadContract.ts'

// Applies to all files of this package: its tests use only these two chains.
declare module './register.ts' {
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
