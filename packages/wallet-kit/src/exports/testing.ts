export { type AnnouncedWallet, announceWallet } from '../testing/announceWallet.ts'
export {
  type Behaviour,
  createScriptedWallet,
  type ScriptedWallet,
  type ScriptedWalletOptions,
} from '../testing/createScriptedWallet.ts'
export { memoryStorage } from '../testing/memoryStorage.ts'
