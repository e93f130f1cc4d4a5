import { ConnectButton, useWalletConnection } from '@lineage/wallet-kit'
import { useSignMessage } from '@lineage/wallet-kit/hooks'
import AppBar from '@mui/material/AppBar'
import Button from '@mui/material/Button'
import Container from '@mui/material/Container'
import { useColorScheme } from '@mui/material/styles'
import Toolbar from '@mui/material/Toolbar'
import Typography from '@mui/material/Typography'

export function App() {
  return (
    <>
      <AppBar position="static" color="transparent" elevation={0}>
        <Toolbar sx={{ gap: 2 }}>
          <Typography variant="subtitle1" component="h1" noWrap sx={{ flexGrow: 1 }}>
            Vite and MUI
          </Typography>
          <ColorSchemeButton />
          <ConnectButton />
        </Toolbar>
      </AppBar>
      <Container component="main" maxWidth="sm" sx={{ py: 4 }}>
        <SignMessage />
      </Container>
    </>
  )
}

function ColorSchemeButton() {
  const { colorScheme, setMode } = useColorScheme()
  const other = colorScheme === 'dark' ? 'light' : 'dark'
  return (
    <Button color="inherit" onClick={() => setMode(other)}>
      {other === 'dark' ? 'Dark' : 'Light'}
    </Button>
  )
}

function SignMessage() {
  const { status } = useWalletConnection()
  const { mutate, data, error, isPending } = useSignMessage()
  return (
    <>
      <Button
        variant="outlined"
        disabled={status !== 'connected' || isPending}
        onClick={() => mutate({ message: 'Hello' })}
      >
        Sign a message
      </Button>
      <Typography component="output" sx={{ display: 'block', mt: 2, overflowWrap: 'anywhere' }}>
        {error?.shortMessage ?? data}
      </Typography>
    </>
  )
}
