import { useState } from 'react'

/** Returns `value` while a dialog is open, then the last one: a dialog fades out as it was. */
export function useWhileOpen<Value>(isOpen: boolean, value: Value): Value {
  const [last, setLast] = useState(value)
  if (isOpen && value !== last) setLast(value)
  return isOpen ? value : last
}
