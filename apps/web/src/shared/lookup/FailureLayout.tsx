import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LineageMark } from '../frame/Logo.tsx'

type LayoutProps = { form: 'apart' | 'broken'; title: string; text: string; children?: ReactNode }

/** Lays out a failure in place of an answer: title, text and a button. */
export function FailureLayout({ form, title, text, children }: LayoutProps) {
  return (
    <Root role="alert">
      <LineageMark form={form} />
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        {children}
      </div>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  display: 'flex',
  gap: 28,
  padding: '40px 0 56px',
  '& h2': { ...theme.typography.h2, fontSize: '1.25rem', margin: '0 0 8px' },
  '& p': { margin: '0 0 20px', maxWidth: '34em', color: theme.vars?.palette.text.secondary },
  // Smaller inside a section, because the rest of the page works.
  'section &': {
    padding: '4px 0 16px',
    '& > svg': { display: 'none' },
    '& h2': { fontSize: '0.9375rem', margin: '0 0 2px' },
    '& p': { margin: '0 0 12px', fontSize: '0.8125rem' },
  },
}))
