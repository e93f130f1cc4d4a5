import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormat, type Format } from './format.ts'

/** How the page's language writes figures and times. */
export function useFormat(): Format {
  const { i18n } = useTranslation()
  return useMemo(() => createFormat(i18n.language), [i18n.language])
}
