import { useSearchParams } from 'react-router-dom'
import { keptOnPage } from '../../paths.ts'

/** Keeps the parameters of the URL when the browser itself sends a form, before or without the scripts. */
export function KeptParameters({ without }: { without: readonly string[] }) {
  const [parameters] = useSearchParams()
  return [...parameters]
    .filter(([name]) => keptOnPage.includes(name) && !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
