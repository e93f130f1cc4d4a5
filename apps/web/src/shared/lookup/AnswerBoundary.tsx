import type { Address } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { ErrorBoundary } from '../frame/ErrorBoundary.tsx'
import { LineageMark } from '../frame/Logo.tsx'
import { LoadError } from '../frame/lazyWithPreload.tsx'
import { useBroken } from '../frame/MessagePage.tsx'

/** Shows a skeleton while a part of a page loads, and a failure in its place when its script cannot be loaded. */
export function AnswerBoundary({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={(error) => {
        if (error instanceof LoadError) return <BrokenAnswer />
        throw error
      }}
    >
      <Part fallback={skeleton}>{children}</Part>
    </ErrorBoundary>
  )
}

function BrokenAnswer() {
  const { t } = useTranslation()
  return <FailureLayout form="broken" title={t('broken.part.title')} {...useBroken()} />
}

/** Called with the address whose answer is shown, and its main figure. */
export const AnswerShownContext = createContext<(address: Address, summary: string) => void>(() => {})

/** Reports that the answer for an address is shown, so that it can be announced; not before its main figure is known. */
export function useAnswerShown(address: Address, summary: string | undefined): void {
  const onShown = use(AnswerShownContext)
  useEffect(() => {
    if (summary !== undefined) onShown(address, summary)
  }, [onShown, address, summary])
}

type LayoutProps = { form: 'apart' | 'broken'; title: string; text: string; children?: ReactNode }

/** Lays out a failure in place of an answer: title, text and a button, whose text changes are not announced. */
export function FailureLayout({ form, title, text, children }: LayoutProps) {
  return (
    <Root>
      <LineageMark form={form} />
      <div>
        <div role="alert">
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
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
