import { ConnectButton, useWalletConnection, useWalletKit } from '@lineage/wallet-kit'
import { toWalletKitError } from '@lineage/wallet-kit/core'
import { Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'

export function App() {
  return (
    <Container component="main" size="xs" py="xl">
      <Stack align="flex-start">
        <Title>Vite and Mantine</Title>
        <Wallet />
        <SignMessage />
      </Stack>
    </Container>
  )
}

/** Renders Mantine's buttons, which show and do what the kit's would. A dialog returns the focus to the first one, which stays. */
function Wallet() {
  return (
    <ConnectButton.Custom>
      {({ account, chain, mounted, openAccountModal, openChainModal, openConnectModal }) => (
        <Group>
          <Button loading={!mounted} onClick={account ? openAccountModal : openConnectModal}>
            {account?.displayName ?? 'Connect Wallet'}
          </Button>
          {account && (
            <Button variant="default" onClick={openChainModal}>
              {chain?.name ?? 'Unknown network'}
            </Button>
          )}
        </Group>
      )}
    </ConnectButton.Custom>
  )
}

function SignMessage() {
  const { getWalletClient } = useWalletKit()
  const { status } = useWalletConnection()
  const [result, setResult] = useState<string>()
  const sign = async () => (await getWalletClient()).signMessage({ message: 'Hello' })
  const show = (error: unknown) => toWalletKitError(error).shortMessage
  return (
    <>
      <Button variant="light" disabled={status !== 'connected'} onClick={() => void sign().catch(show).then(setResult)}>
        Sign a message
      </Button>
      <Text component="output" ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {result}
      </Text>
    </>
  )
}
