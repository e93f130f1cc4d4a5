/** The relay client, built into one file that is loaded when a relay wallet is picked. */
export { EthereumProvider } from '@walletconnect/ethereum-provider'
