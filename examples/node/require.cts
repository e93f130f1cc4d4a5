// A CommonJS program requires the same entries, in Node 20.19, 22.12 and later.
const { formatAddress, formatBalance }: typeof import('@lineage/wallet-kit/core') = require('@lineage/wallet-kit/core')
const { createTokenBuckets }: typeof import('@lineage/wallet-kit/siwe-server') =
  require('@lineage/wallet-kit/siwe-server')
const { defaultWallets }: typeof import('@lineage/wallet-kit/wallets') = require('@lineage/wallet-kit/wallets')

console.log(formatAddress('0x00000000219ab540356cBB839Cbe05303d7705Fa'))
console.log(formatBalance({ value: 1_234_500_000_000_000_000n, decimals: 18 }))
console.log(
  defaultWallets()
    .flatMap(({ wallets }) => wallets.map(({ name }) => name))
    .join(', '),
)
console.log(`Wait ${createTokenBuckets({ burst: 1, perSecond: 1 }).take('visitor', 1)} s`)
