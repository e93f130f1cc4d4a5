import * as account from './Account.tsx'
import * as connect from './Connect.tsx'
import { ConnectRoot } from './connectContext.tsx'
import * as network from './Network.tsx'
import * as signIn from './SignIn.tsx'

/**
 * The parts of an account dialog without styles.
 *
 * @example
 * ```tsx
 * export const MyAccount = () => (
 *   <Account.Root>
 *     <Account.Name />
 *     <Account.Balance />
 *     <Account.Address />
 *     <Account.Copy />
 *     <Account.Disconnect />
 *   </Account.Root>
 * )
 * ```
 */
export const Account = {
  /** Provides the account to the parts inside: the last one while a dialog fades out. Renders no element, and nothing before. */
  Root: account.Root,
  /** The name of the account, or else its shortened address. */
  Name: account.Name,
  /** The balance, read again whenever it appears. */
  Balance: account.Balance,
  /** The full address in groups of four, because look-alike addresses share only both ends. */
  Address: account.Address,
  /** Copies the address. */
  Copy: account.Copy,
  Disconnect: account.Disconnect,
  /** Leads to the account in the chain's explorer. Not there if the chain has none. */
  Explorer: account.Explorer,
  /** Signs in or out. Not there if the app has no sign-in. */
  Session: account.Session,
  /** The latest transactions: children as a function get them. Screen readers hear their outcome. */
  Transactions: account.Transactions,
  ClearTransactions: account.ClearTransactions,
}

/**
 * The parts of a connect dialog without styles, for a dialog of your own. Each but `Root` renders one element, whose `className` may
 * depend on its state, and which `render` replaces; `data-` attributes tell its state.
 *
 * @example
 * ```tsx
 * export const MyConnect = () => (
 *   <Connect.Root>
 *     <Connect.Title />
 *     <Connect.Step name="list">
 *       <Connect.Search />
 *       <Connect.List>
 *         {(groups) =>
 *           groups.map((group) => (
 *             <Connect.Group key={group.name} group={group}>
 *               <Connect.GroupLabel />
 *               {group.wallets.map((wallet) => (
 *                 <Connect.Wallet key={wallet.id} wallet={wallet} className="wallet" />
 *               ))}
 *             </Connect.Group>
 *           ))
 *         }
 *       </Connect.List>
 *     </Connect.Step>
 *     <Connect.Step name="scan">
 *       <Connect.Qr />
 *     </Connect.Step>
 *     <Connect.Back>Back</Connect.Back>
 *   </Connect.Root>
 * )
 * ```
 */
export const Connect = {
  /** Provides the state to the parts inside. Renders no element. */
  Root: ConnectRoot,
  /** The title of the step. */
  Title: connect.Title,
  /** A sentence on the step, which screen readers hear. */
  Status: connect.Status,
  /** Returns to the step before. Not there at the first step. */
  Back: connect.Back,
  /** Closes the dialog, and cancels the request to a wallet. */
  Close: connect.Close,
  /** Sends an event of the step machine, such as `{ type: 'learn' }`. */
  Action: connect.Action,
  /** The field that searches the list by name, in any language. */
  Search: connect.Search,
  /** The list of wallets: children as a function get its groups. With `data-grid`, arrow keys move by position. */
  List: connect.List,
  /** Says that no wallet was found. The element is always there, so that screen readers hear a change. */
  Empty: connect.Empty,
  Group: connect.Group,
  GroupLabel: connect.GroupLabel,
  /** Asks the wallet to connect, or leads to its downloads. Children: `WalletName`, and what else you like. */
  Wallet: connect.Wallet,
  WalletName: connect.WalletName,
  /** The icon of the wallet around it, or of `wallet`. Not there until it has loaded. */
  WalletIcon: connect.WalletIcon,
  WalletMark: connect.WalletMark,
  /** Shows its children at the named steps. */
  Step: connect.Step,
  /** The state of the request to the wallet, as a short title. */
  StepTitle: connect.StepTitle,
  /** The next action of the person, as a sentence. */
  StepText: connect.StepText,
  /** The wallet's own words on an error. */
  StepDetail: connect.StepDetail,
  /** Asks the wallet again. Not there while it is being asked. */
  Retry: connect.Retry,
  /** The QR code of the step `scan`, dark on a transparent ground: put it on white. */
  Qr: connect.Qr,
  /** Copies the link that the QR code holds. */
  CopyLink: connect.CopyLink,
  /** Opens the wallet's app at the step `openApp`. Not there before the relay has answered. */
  AppLink: connect.AppLink,
  /** The apps to choose from at the step `openApp` of WalletConnect: children as a function get those that are found. */
  Apps: connect.Apps,
  /** Opens the pairing in an app. */
  App: connect.App,
  /** The ways to get the wallet: children as a function get them. */
  Downloads: connect.Downloads,
  Download: connect.DownloadLink,
}

/**
 * The parts of a network dialog without styles.
 *
 * @example
 * ```tsx
 * export const MyNetworks = () => (
 *   <Network.Root>
 *     <Network.Warning />
 *     <Network.List>
 *       {(chains) =>
 *         chains.map((chain) => (
 *           <li key={chain.chain.id}>
 *             <Network.Chain chain={chain} />
 *           </li>
 *         ))
 *       }
 *     </Network.List>
 *     <Network.Outcome />
 *   </Network.Root>
 * )
 * ```
 */
export const Network = {
  /** Provides the networks to the parts inside. Renders no element. */
  Root: network.Root,
  /** Says that the wallet is on a network that the app does not support. Not there on a supported one. */
  Warning: network.Warning,
  /** The list of networks: children as a function get them. */
  List: network.List,
  /** Asks the wallet to switch to a network. */
  Chain: network.Chain,
  /** The reason why the wallet did not switch. The element is always there. */
  Outcome: network.Outcome,
  Disconnect: account.Disconnect,
}

/**
 * The parts of a sign-in dialog without styles.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * ```tsx
 * export const MySignIn = () => (
 *   <SignIn.Root>
 *     <SignIn.Address />
 *     <SignIn.Text />
 *     <SignIn.Outcome />
 *     <SignIn.Submit />
 *     <SignIn.Cancel />
 *   </SignIn.Root>
 * )
 * ```
 */
export const SignIn = {
  /** Provides the step of signing in to the parts inside. Renders no element. */
  Root: signIn.Root,
  /** A sentence on the step, which screen readers hear. */
  Status: signIn.Status,
  /** The shortened address of the account. */
  Address: signIn.Address,
  /** The sentence that asks the person to sign, or to switch the network. */
  Text: signIn.Text,
  /** The progress, or the reason of a failure. The element is always there. */
  Outcome: signIn.Outcome,
  /** The next action: signs, tries again, or switches the network. Says what it waits for. */
  Submit: signIn.Submit,
  /** Closes the dialog; on a wrong network it disconnects. */
  Cancel: signIn.Cancel,
}
