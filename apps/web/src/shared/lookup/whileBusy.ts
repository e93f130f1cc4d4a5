/** Of a button whose work is under way: it keeps the focus that `disabled` would take from it. */
export const whileBusy = (isBusy: boolean, onClick: () => void) => ({
  'aria-disabled': isBusy,
  onClick: () => {
    if (!isBusy) onClick()
  },
})
