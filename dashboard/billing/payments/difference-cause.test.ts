import { expect, it } from 'vitest'
import { causeOf } from './difference-cause.ts'

it('names the probable cause by the side that lacks the movement and by what moved', () => {
  const ids = ['pi_1', 're_1', 'pyr_1', 'dp_pi_1', 'du_1']
  expect(ids.map(gatewayObjectId => causeOf({ kind: 'MISSING_HERE', gatewayObjectId }))).toEqual([
    'MISSING_HERE_payment',
    'MISSING_HERE_refund',
    'MISSING_HERE_refund',
    'MISSING_HERE_dispute',
    'MISSING_HERE_dispute',
  ])
  expect(causeOf({ kind: 'MISSING_THERE', gatewayObjectId: 're_1' })).toBe('MISSING_THERE_refund')
  expect(causeOf({ kind: 'AMOUNT', gatewayObjectId: 're_1' })).toBe('AMOUNT')
})
