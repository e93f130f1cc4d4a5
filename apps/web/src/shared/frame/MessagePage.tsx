import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LineageMark } from './LineageMark.tsx'
import { Page } from './Page.tsx'

/** Renders a page with a message and one button. */
export function MessagePage({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Root>
      <LineageMark form="broken" height={200} />
      <Page title={title} heading={title} hint={text} size="large">
        {children}
      </Page>
    </Root>
  )
}

const Root = styled('div')({
  display: 'flex',
  gap: '0 48px',
  alignItems: 'center',
  minHeight: '60vh',
  '@media (max-width: 767.95px)': { gap: '0 24px', '& > svg': { width: 72 } },
})
