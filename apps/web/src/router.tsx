import { zoneOfPage } from '@lineage/referral-api/days'
import type { ComponentType } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { TimeZoneContext } from './lib/format.ts'
import { useTranslation } from './lib/i18n.ts'
import { lookupOf } from './paths.ts'
import { Frame } from './shared/frame/Frame.tsx'
import { lazyWithPreload } from './shared/frame/lazyWithPreload.tsx'
import { NotFound } from './shared/frame/MessagePage.tsx'

const files = import.meta.glob<{ default: ComponentType }>('./routes/*.tsx')
const components = Object.fromEntries(Object.entries(files).map(([file, load]) => [file, lazyWithPreload(load)]))

/** Returns the component of a path's page. */
function componentOf(pathname: string) {
  const name = lookupOf(pathname)
  return name && components[`./routes/${name.charAt(0).toUpperCase()}${name.slice(1)}.tsx`]
}

/** Loads the code of a path's page before the first render. */
export async function preloadPage(pathname: string): Promise<void> {
  const page = componentOf(pathname)
  // A failure is shown when the page renders.
  await page?.preload().catch(() => undefined)
}

/** Maps paths to pages; each page loads when first opened. */
export function Router() {
  const { language } = useTranslation().i18n
  const [parameters] = useSearchParams()
  const Page = componentOf(useLocation().pathname) ?? NotFound
  return (
    <TimeZoneContext value={zoneOfPage(parameters, language)}>
      <Frame>
        <Page />
      </Frame>
    </TimeZoneContext>
  )
}
