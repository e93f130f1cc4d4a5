import { useWalletKit, useWalletKitState } from '@lineage/wallet-kit'
import { Account, Connect, Network, type ShownChain, type ShownWalletGroup } from '@lineage/wallet-kit/parts'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { button } from './App.tsx'

const quiet = 'text-sm text-stone-500 dark:text-stone-400'
const row =
  'flex w-full items-center gap-3 rounded-xl p-2 text-start hover:bg-stone-100 aria-[current]:bg-stone-100 disabled:opacity-50 dark:hover:bg-stone-800 dark:aria-[current]:bg-stone-800'

/** Draws the dialog that the kit names. */
export default function Dialogs() {
  const name = useWalletKitState(({ dialog }) => dialog.name)
  if (name === 'connect') return <ConnectDialog />
  if (name === 'account') return <AccountDialog />
  if (name === 'network') return <NetworkDialog />
  return null
}

/** The platform's dialog brings the backdrop, Esc and the focus. */
function Dialog({ label, children }: { label: string; children: ReactNode }) {
  const { closeDialog } = useWalletKit()
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // Returns the focus, which a dialog that is removed while open does not.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-label={label}
      // The person closed it, not the effect.
      onClose={({ currentTarget: it }) => it.isConnected && !it.open && closeDialog()}
      // A press outside closes it, where the browser knows this.
      closedby="any"
      className="m-auto w-96 max-w-[calc(100vw-2rem)] rounded-3xl bg-white p-0 text-inherit shadow-2xl backdrop:bg-black/40 dark:bg-stone-900"
    >
      <div className="flex flex-col gap-3 p-6">{children}</div>
    </dialog>
  )
}

function ConnectDialog() {
  return (
    <Dialog label="Connect a wallet">
      <Connect.Root>
        <header className="flex items-center justify-between">
          <Connect.Title className="text-lg font-semibold" />
          <Connect.Close className={quiet}>Close</Connect.Close>
        </header>
        <Connect.Status className="sr-only" />
        <Connect.Step name="list">
          <Connect.Search className="mb-2 w-full rounded-xl border border-stone-300 px-3 py-2 dark:border-stone-700" />
          <Connect.List className="max-h-96 overflow-y-auto">
            {(groups) => groups.map((group) => <Group key={group.name} group={group} />)}
          </Connect.List>
          <Connect.Empty className={quiet} />
        </Connect.Step>
        <Connect.Step name={['scan', 'openApp']} className="flex flex-col items-center gap-3">
          <Connect.Qr className="size-64 rounded-xl bg-white p-3 data-waiting:animate-pulse" />
          <Connect.AppLink className={button} />
          <Connect.CopyLink className={quiet} />
        </Connect.Step>
        <Connect.Step name={['connecting', 'scan', 'openApp']} className="flex flex-col items-center gap-2 text-center">
          <Connect.StepTitle className="font-medium" />
          <Connect.StepText />
          <Connect.StepDetail className={quiet} />
          <Connect.Retry className={button} />
        </Connect.Step>
        <Connect.Step name={['download', 'downloadOptions']}>
          <Connect.Downloads>
            {(downloads) =>
              downloads.map((download) => (
                <Connect.Download key={download.kind} download={download} className={`${row} underline`} />
              ))
            }
          </Connect.Downloads>
        </Connect.Step>
        <Connect.Step name="extensionInstructions" className="flex flex-col items-start gap-3">
          <p>Install the extension, and create a wallet in it. This page sees it after a reload.</p>
          <button type="button" className={button} onClick={() => location.reload()}>
            Reload
          </button>
        </Connect.Step>
        <Connect.Step name={['mobileInstructions', 'desktopInstructions']} className="flex flex-col items-start gap-3">
          <p>Install the app, and create a wallet in it. Then connect.</p>
          <Connect.Action event={{ type: 'connect' }} className={button}>
            Connect
          </Connect.Action>
        </Connect.Step>
        <Connect.Back className={`${quiet} self-start`}>Back</Connect.Back>
      </Connect.Root>
    </Dialog>
  )
}

function Group({ group }: { group: ShownWalletGroup }) {
  return (
    <Connect.Group group={group} className="mb-2">
      <Connect.GroupLabel className={`py-1 ${quiet}`} />
      {group.wallets.map((wallet) => (
        <Connect.Wallet key={wallet.id} wallet={wallet} className={row}>
          <span className="size-8 overflow-hidden rounded-lg bg-stone-200 dark:bg-stone-700">
            <Connect.WalletIcon className="size-8" />
          </span>
          <Connect.WalletName className="grow" />
          <Connect.WalletMark className={`${quiet} data-unverified:text-red-700`} />
        </Connect.Wallet>
      ))}
    </Connect.Group>
  )
}

function AccountDialog() {
  return (
    <Dialog label="Account">
      <Account.Root>
        <Account.Name className="text-lg font-semibold" />
        <Account.Balance className={quiet} />
        <Account.Address className="font-mono text-sm" />
        <Account.Copy className={button} />
        <Account.Disconnect className={quiet} />
      </Account.Root>
    </Dialog>
  )
}

function NetworkDialog() {
  return (
    <Dialog label="Network">
      <Network.Root>
        <Network.Warning className="text-red-700 dark:text-red-400" />
        <Network.List>{(chains) => chains.map((chain) => <Chain key={chain.chain.id} chain={chain} />)}</Network.List>
        <Network.Outcome className={quiet} />
      </Network.Root>
    </Dialog>
  )
}

const Chain = ({ chain }: { chain: ShownChain }) => (
  <li>
    <Network.Chain chain={chain} className={row} />
  </li>
)
