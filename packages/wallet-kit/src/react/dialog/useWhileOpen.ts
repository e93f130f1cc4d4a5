import { useState } from 'react'

/**
 * Returns `value` while a dialog is open, then the last value, so that the dialog does not change while it fades out.
 */
export function useWhileOpen<Value>(isOpen: boolean, value: Value): Value {
  const [last, setLast] = useState(value)
  if (isOpen && value !== last) setLast(value)
  return isOpen ? value : last
}
