import { createWalletKit, toWalletKitError, type WalletKitState } from '@lineage/wallet-kit/core'
import { http } from 'viem'
import { bsc } from 'viem/chains'

const kit = createWalletKit({
  appName: 'Plain TypeScript',
  chains: [bsc],
  transports: { [bsc.id]: http(import.meta.env.VITE_RPC_URL) },
  wallets: 'announced',
})

const title = document.createElement('h1')
title.textContent = 'Plain TypeScript'
const controls = document.createElement('p')
const output = document.createElement('output')
document.getElementById('root')?.append(title, controls, output)

kit.subscribe(render)
render(kit.getState())
void kit.reconnect()

/** Redraws the controls when the shown state has changed, and keeps the focus in them. */
function render(state: WalletKitState): void {
  const next = JSON.stringify([state.status, state.address, state.wallets.map(({ id, name }) => [id, name])])
  if (next === controls.dataset.shown) return
  controls.dataset.shown = next
  const hadFocus = controls.contains(document.activeElement)
  controls.replaceChildren(...createControls(state))
  if (hadFocus) controls.querySelector('button')?.focus()
}

/** Returns a button for each installed wallet, or the connected account with its actions. */
function createControls(state: WalletKitState): (HTMLElement | string)[] {
  switch (state.status) {
    case 'disconnected': {
      const connect = (walletId: string) => async () => void (await kit.connect({ walletId }))
      const buttons = state.wallets.map(({ id, name }) => createButton(`Connect ${name}`, connect(id)))
      return buttons.length > 0 ? buttons : ['Install a wallet to connect.']
    }
    case 'connecting':
      return ['Open your wallet …', createButton('Cancel', () => kit.disconnect())]
    case 'reconnecting':
      return [state.address]
    default:
      return [state.address, createButton('Sign a message', sign), createButton('Disconnect', () => kit.disconnect())]
  }
}

async function sign(): Promise<void> {
  const wallet = await kit.getWalletClient()
  output.textContent = await wallet.signMessage({ message: 'Hello' })
}

/** Creates a button that shows why its action failed. */
function createButton(label: string, action: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.textContent = label
  button.addEventListener('click', () => {
    output.textContent = ''
    action().catch((thrown: unknown) => {
      output.textContent = toWalletKitError(thrown).shortMessage
    })
  })
  return button
}
