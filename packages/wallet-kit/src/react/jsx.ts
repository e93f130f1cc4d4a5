// The build draws elements with these: see tsup.config.ts.
import { jsx as createElement, jsxs as createElementWithChildren, Fragment as Fragments } from 'react/jsx-runtime'

export const Fragment = Fragments
export const jsx = createElement
export const jsxs = createElementWithChildren
