import { featureEntry, unfeatureEntry } from '#contract/marketplace/review-queue.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { endFeature, featurePeriod, setFeature } from './featured.sql.ts'
import { lockSubmission } from './submission.access.ts'
import { assertFeaturePeriod, assertNotOwn } from './submission.rules.ts'

/** Features a listed entry until a time. Repeating the same time changes nothing and emits no event. */
export const feature = workflow(featureEntry, ({ caller, origin, params: { entryId }, body, services }) =>
  transactAcross({ caller, origin, services }, 'operator', featureEntry, async (crossTenant, record) => {
    const { tx, entry } = await lockSubmission(crossTenant, entryId)
    assertNotOwn(entry, caller)
    if (entry.listed_release_id === null) fail('ENTRY_NOT_APPROVED')
    const period = await featurePeriod(tx, body.until)
    assertFeaturePeriod(period)
    const featuredUntil = period.until
    const isNew = await setFeature(tx, entryId, featuredUntil)
    if (isNew) emit(tx, caller, 'ai-marketplace.featured', { entryId, featuredUntil })
    await record(tx, { subject: entryId, changed: isNew ? ['featuredUntil'] : [] })
    return { entryId, featured: true, featuredUntil }
  }),
)

/** Stops featuring an entry. Changes nothing if it is not featured. */
export const unfeature = workflow(unfeatureEntry, ({ caller, origin, params: { entryId }, services }) =>
  transactAcross({ caller, origin, services }, 'operator', unfeatureEntry, async (crossTenant, record) => {
    const { tx } = await lockSubmission(crossTenant, entryId)
    const isEnded = await endFeature(tx, entryId)
    if (isEnded) emit(tx, caller, 'ai-marketplace.unfeatured', { entryId })
    await record(tx, { subject: entryId, changed: isEnded ? ['featuredUntil'] : [] })
    return { entryId, featured: false, featuredUntil: null }
  }),
)
