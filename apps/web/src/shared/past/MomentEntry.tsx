import { useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { TextButton } from '../frame/TextButton.tsx'
import { MomentForm } from './MomentForm.tsx'

/** Renders the button that opens the form for a past day or block. */
export default function MomentEntry() {
  const { t } = useLazyTranslation('history')
  const id = useId()
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <div>
      <TextButton
        type="button"
        aria-expanded={state === 'open'}
        aria-controls={id}
        onClick={() => setState(state === 'open' ? 'closed' : 'open')}
      >
        {t('past.open')}
      </TextButton>
      <div id={id}>{state === 'open' && <MomentForm label={t('past.entry')} />}</div>
    </div>
  )
}
