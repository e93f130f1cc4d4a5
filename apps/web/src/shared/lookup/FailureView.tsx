import { useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { busyButtonProps } from '../frame/controls.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { Link } from '../frame/Link.tsx'
import { FailureLayout } from './AnswerBoundary.tsx'
import type { Failure } from './failure.ts'

const IndexingView = lazyPart(() => import('./IndexingView.tsx'))
const WithheldView = lazyPart(() => import('./WithheldView.tsx'))
const retryKinds = new Set<Failure['kind']>(['offline', 'unreachable', 'nodes', 'failed', 'busy'])

type Props = { failure: Failure; onRetry: () => void; isRetrying: boolean }

/** Explains why a lookup failed and what to do. */
export function FailureView({ failure, onRetry, isRetrying }: Props) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  if (failure.kind === 'indexing') return <IndexingView progress={failure.progress} />
  if (failure.kind === 'withheld') return <WithheldView />

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
