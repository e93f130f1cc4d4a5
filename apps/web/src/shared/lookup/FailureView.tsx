import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { lookupPath } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { busyButtonProps } from '../frame/controls.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { LineageMark } from '../frame/Logo.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import type { Failure } from './failure.ts'

const IndexingView = lazyWithPreload(() => import('./IndexingView.tsx'))
const retryKinds = new Set<Failure['kind']>(['offline', 'unreachable', 'nodes', 'failed', 'busy'])

type Props = { failure: Failure; onRetry: () => void; isRetrying: boolean }

/** Explains why a lookup failed and what to do. */
export function FailureView({ failure, onRetry, isRetrying }: Props) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  if (failure.kind === 'indexing')
    return (
      <LazyBoundary>
        <IndexingView progress={failure.progress} />
      </LazyBoundary>
    )

  const retryable = retryKinds.has(failure.kind)
  return (
    <FailureLayout
      form={failure.kind === 'notMember' ? 'apart' : 'broken'}
      title={t(`failure.${failure.kind}.title`)}
      text={
        failure.kind === 'busy'
          ? t('failure.busy.text', { count: failure.seconds })
          : failure.kind === 'failed'
            ? t('failure.failed.text', { detail: failure.detail })
            : t(`failure.${failure.kind}.text`)
      }
    >
      {retryable && (
        <Button variant="outlined" {...busyButtonProps(isRetrying, onRetry)}>
          {t(isRetrying ? 'failure.retrying' : 'failure.retry')}
        </Button>
      )}
      {failure.kind === 'notMember' && (
        <Button variant="outlined" component={Link} to={lookupPath('search', parameters)}>
          {t('address.look.search')}
        </Button>
      )}
      {failure.kind === 'noCommunity' && (
        <Button variant="outlined" component={Link} to={lookupPath('community', parameters, { community: null })}>
          {t('failure.noCommunity.back')}
        </Button>
      )}
    </FailureLayout>
  )
}

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
