import { configure } from '@testing-library/dom'
import { waitLimit } from '../../../../../scripts/vitest/limits.ts'

configure({ asyncUtilTimeout: waitLimit })
