import { AccountDialog } from './AccountDialog/AccountDialog.tsx'
import { NetworkDialog } from './NetworkDialog/NetworkDialog.tsx'
import { SignInDialog } from './SignInDialog/SignInDialog.tsx'
import account from './styles/account.css?inline'
import network from './styles/network.css?inline'
import signIn from './styles/signIn.css?inline'

/** The dialogs that need an account, with styles of their own. They load later than the connect dialog. */
export const accountDialogs = {
  account: AccountDialog,
  network: NetworkDialog,
  signIn: SignInDialog,
  css: account + network + signIn,
}
