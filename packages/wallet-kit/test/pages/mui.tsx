import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The same page with MUI only: a button that opens a dialog with two rows. */
function Page() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <main>
      <h1>One button</h1>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Connect
      </Button>
      <Dialog open={open} onClose={close} aria-labelledby="title">
        <DialogTitle id="title">Connect a wallet</DialogTitle>
        <DialogContent>
          <Button onClick={close}>MetaMask</Button>
          <Button onClick={close}>WalletConnect</Button>
        </DialogContent>
      </Dialog>
    </main>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
