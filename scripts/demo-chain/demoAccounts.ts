import type { Address, Hex } from 'viem'

/** An account of anvil's public mnemonic. Its key is public: never use it on another chain. */
export type DemoAccount = {
  address: Address
  privateKey: Hex
  /** Its place in the demo community. */
  place: 'leader' | 'member' | 'deep member' | 'not bound'
}

/** Accounts that the demo wallet offers. The last one has not been bound to a referrer yet. */
export const demoAccounts: readonly DemoAccount[] = [
  {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    place: 'leader',
  },
  {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    place: 'member',
  },
  {
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    privateKey: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
    place: 'deep member',
  },
  {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    privateKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
    place: 'not bound',
  },
]

/** The account that deploys and seeds the contract, the tenth of the mnemonic. The demo wallet does not offer it. */
export const ownerAddress: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
