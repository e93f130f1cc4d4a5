import type { Community } from '@lineage/referral-api'
import { use } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { Link } from '../frame/Link.tsx'
import { FailureLayout } from './AnswerBoundary.tsx'
import { CommunityContext, useHasSeveral } from './useCommunity.ts'

/** Explains why the page's community is withheld. */
export default function WithheldView() {
  const { t } = useLazyTranslation('communities')
  const { t: common } = useTranslation()
  const [parameters] = useSearchParams()
  const hasSeveral = useHasSeveral()
  const reason = use(CommunityContext)?.withheld ?? null
  return (
    <FailureLayout
      form="broken"
      title={common('failure.withheld.title')}
      text={t('withheld.text', { reason: t(withheldTexts(reason)) })}
    >
      {hasSeveral && (
        <Button variant="outlined" component={Link} to={lookupPath('metrics', parameters, { view: 'communities' })}>
          {t('all')}
        </Button>
      )}
    </FailureLayout>
  )
}

/** Returns the key of the text of a reason. */
export const withheldTexts = (reason: Community['withheld']) => `withheld.${reason ?? 'unknown'}` as const
