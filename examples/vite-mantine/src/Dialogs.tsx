import { useWalletKit, useWalletKitState } from '@lineage/wallet-kit'
import { Account, Connect, Network, type ShownWalletGroup } from '@lineage/wallet-kit/parts'
import {
  Alert,
  Anchor,
  Badge,
  Button,
  Center,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import type { ReactNode } from 'react'

/** Draws the dialogs, of which the kit names the open one. A closed one fades out. */
export default function Dialogs() {
  return (
    <>
      <Dialog name="connect">
        <ConnectDialog />
      </Dialog>
      <Dialog name="account">
        <AccountDialog />
      </Dialog>
      <Dialog name="network">
        <NetworkDialog />
      </Dialog>
    </>
  )
}

/** Mantine's modal brings the overlay, Esc and the focus. */
function Dialog({ name, children }: { name: 'connect' | 'account' | 'network'; children: ReactNode }) {
  const { closeDialog } = useWalletKit()
  const isOpen = useWalletKitState(({ dialog }) => dialog.name === name)
  return (
    <Modal.Root opened={isOpen} onClose={closeDialog} centered size="sm">
      <Modal.Overlay />
      <Modal.Content radius="lg">{children}</Modal.Content>
    </Modal.Root>
  )
}

const Header = ({ title }: { title: ReactNode }) => (
  <Modal.Header>
    {title}
    <Modal.CloseButton aria-label="Close" />
  </Modal.Header>
)

function ConnectDialog() {
  return (
    <Connect.Root>
      <Header title={<Connect.Title render={<Modal.Title />} />} />
      <Connect.Status render={<VisuallyHidden />} />
      <Modal.Body>
        <Connect.Step name="list" render={<Stack gap="xs" />}>
          <Connect.Search render={<TextInput />} />
          <Connect.List>{(groups) => groups.map((group) => <Wallets key={group.name} group={group} />)}</Connect.List>
          <Connect.Empty render={<Text c="dimmed" />} />
        </Connect.Step>
        <Connect.Step name={['scan', 'openApp']} render={<Stack align="center" />}>
          <Connect.Qr
            width={256}
            height={256}
            style={({ waiting }) => ({
              padding: 12,
              borderRadius: 12,
              background: 'white',
              opacity: waiting ? 0.3 : 1,
            })}
          />
          <Connect.AppLink render={<Button component="a" />} />
          <Connect.CopyLink render={<Button variant="default" />} />
        </Connect.Step>
        <Connect.Step
          name={['connecting', 'scan', 'openApp']}
          render={<Stack align="center" gap="xs" ta="center" mt="md" />}
        >
          <Connect.StepTitle render={<Text component="h3" fw={600} />} />
          <Connect.StepText render={<Text />} />
          <Connect.StepDetail render={<Text c="dimmed" size="sm" />} />
          <Connect.Retry render={<Button />} />
        </Connect.Step>
        <Connect.Step name={['download', 'downloadOptions']}>
          <Connect.Downloads>
            {(downloads) =>
              downloads.map((download) => (
                <Connect.Download
                  key={download.kind}
                  download={download}
                  render={<Button component="a" variant="subtle" />}
                />
              ))
            }
          </Connect.Downloads>
        </Connect.Step>
        <Connect.Step name="extensionInstructions" render={<Stack align="flex-start" />}>
          <Text>Install the extension, and create a wallet in it. This page sees it after a reload.</Text>
          <Button onClick={() => location.reload()}>Reload</Button>
        </Connect.Step>
        <Connect.Step name={['mobileInstructions', 'desktopInstructions']} render={<Stack align="flex-start" />}>
          <Text>Install the app, and create a wallet in it. Then connect.</Text>
          <Connect.Action event={{ type: 'connect' }} render={<Button />}>
            Connect
          </Connect.Action>
        </Connect.Step>
        <Connect.Back render={<Button variant="subtle" mt="md" />}>Back</Connect.Back>
      </Modal.Body>
    </Connect.Root>
  )
}

function Wallets({ group }: { group: ShownWalletGroup }) {
  return (
    <Connect.Group group={group}>
      <Connect.GroupLabel render={<Text component="h3" size="sm" c="dimmed" py={4} />} />
      {group.wallets.map((wallet) => (
        <Connect.Wallet
          key={wallet.id}
          wallet={wallet}
          render={({ style, ...props }, { disabled }) => (
            <UnstyledButton {...props} w="100%" p={6} opacity={disabled ? 0.5 : 1} />
          )}
        >
          <Group>
            <Center w={32} h={32} bg="default-hover" style={{ borderRadius: 8, overflow: 'hidden' }}>
              <Connect.WalletIcon width={32} height={32} />
            </Center>
            <Connect.WalletName render={<Text component="span" flex={1} />} />
            <Connect.WalletMark
              render={(props, { unverified }) => (
                <Badge {...props} variant="light" color={unverified ? 'red' : 'gray'} />
              )}
            />
          </Group>
        </Connect.Wallet>
      ))}
    </Connect.Group>
  )
}

function AccountDialog() {
  return (
    <Account.Root>
      <Header title={<Account.Name render={<Modal.Title />} />} />
      <Modal.Body>
        <Stack align="flex-start">
          <Account.Balance render={<Text component="span" c="dimmed" />} />
          <Account.Address render={<Text ff="monospace" size="sm" />} />
          <Account.Explorer render={<Anchor />} />
          <Group>
            <Account.Copy render={<Button variant="default" />} />
            <Account.Disconnect render={<Button color="red" variant="light" />} />
          </Group>
        </Stack>
      </Modal.Body>
    </Account.Root>
  )
}

function NetworkDialog() {
  return (
    <Network.Root>
      <Header title={<Modal.Title>Network</Modal.Title>} />
      <Modal.Body>
        <Network.Warning render={<Alert color="red" />} />
        <Network.List style={{ padding: 0, listStyle: 'none' }}>
          {(chains) =>
            chains.map((chain) => (
              <li key={chain.chain.id}>
                <Network.Chain
                  chain={chain}
                  render={(props, { current, switching }) => (
                    <Button
                      {...props}
                      fullWidth
                      justify="start"
                      variant={current ? 'light' : 'subtle'}
                      loading={switching}
                    />
                  )}
                />
              </li>
            ))
          }
        </Network.List>
        <Network.Outcome render={<Text c="dimmed" size="sm" />} />
      </Modal.Body>
    </Network.Root>
  )
}
