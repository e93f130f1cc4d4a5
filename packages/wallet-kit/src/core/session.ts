import type { Session } from './authentication.ts'
import type { KitContext } from './context.ts'
import { SignInError } from './errors.ts'
import type { Connection, WalletKitState } from './state.ts'

/** The part of the state that says whether an account is signed in. */
export function describeSession(
  { config: { authentication }, store }: KitContext,
  account: Pick<Connection, 'address' | 'chainId'>,
  session: Session | undefined,
): Pick<WalletKitState, 'status'> & Partial<WalletKitState> {
  if (!authentication) return { status: 'connected' }
  const { required, covers = isSameAddress } = authentication
  const held = session && session.expiresAt > Date.now() && covers(session, account) ? session : undefined
  if (!required || held) return { status: 'connected', session: held }
  const { dialog } = store.getState()
  const isForConnected = dialog.name === 'account' || dialog.name === 'network'
  return { status: 'unauthenticated', session: held, ...(isForConnected && { dialog: { name: 'none' } }) }
}

/** The session the server knows, where a connection does not count without one. */
export async function readSession({ config, loadSignIn }: KitContext): Promise<Session | undefined> {
  if (!config.authentication?.required || !config.authentication.adapter.getSession) return undefined
  return loadSignIn().then(
    ({ restore }) => restore(),
    () => undefined,
  )
}

/** The session the server knows, in the background. */
export function resumeSession({ config, loadSignIn }: KitContext): void {
  if (!config.authentication?.adapter.getSession) return
  loadSignIn().then(
    ({ resume }) => resume(),
    () => {},
  )
}

/** Shows the sign-in dialog, and has its message prepared. */
export function showSignIn({ store, loadSignIn }: KitContext): void {
  const isOpen = () => store.getState().dialog.name === 'signIn'
  store.setState({
    dialog: { name: 'signIn', step: { name: store.getState().isSupportedChain ? 'preparing' : 'wrongNetwork' } },
  })
  loadSignIn().then(
    ({ open }) => isOpen() && open(),
    (thrown) => {
      const error = new SignInError('generic', thrown)
      if (isOpen()) store.setState({ dialog: { name: 'signIn', step: { name: 'unprepared', error } } })
    },
  )
}

function isSameAddress(session: Session, { address }: Pick<Connection, 'address'>): boolean {
  return session.address.toLowerCase() === address.toLowerCase()
}
