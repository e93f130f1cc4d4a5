/** The relay client. Everything it needs is bundled into one file, which is loaded when a person picks such a wallet. */
export { EthereumProvider } from '@walletconnect/ethereum-provider'
