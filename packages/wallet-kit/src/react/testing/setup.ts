import { configure, prettyDOM } from '@testing-library/dom'
import { createElementError } from '../../../../../scripts/vitest/createElementError.ts'
import { waitLimit } from '../../../../../scripts/vitest/limits.ts'

configure({ asyncUtilTimeout: waitLimit, getElementError: createElementError(prettyDOM) })
