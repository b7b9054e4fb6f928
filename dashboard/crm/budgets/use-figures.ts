import { useEffect, useRef, useState } from 'react'
import { type Budget, type BudgetFigures, computeBudgetFigures } from '#contract/crm/budgets.ts'
import type { CallError } from '#sdk/client.ts'
import { useAction } from '../../data/read.ts'
import { type BudgetForm, discountsOf, formOf, isReadable, keysOf, sectionsOf } from './budget-form.ts'

const pauseMs = 250

type Computed = {
  /** The request that they belong to, as JSON. */
  request: string
  /** The keys of the rows of that request. */
  keys: readonly (readonly string[])[]
  figures: BudgetFigures
}

/** The figures of a form as the server computes them, and whether they belong to an earlier form. */
export type FormFigures = {
  figures: BudgetFigures
  /** The amount of each row by its key, in cents. */
  amounts: ReadonlyMap<string, number>
  isStale: boolean
  error: CallError | undefined
}

/**
 * Has the server compute the figures of a form, a moment after the last change and one request at a time. The former
 * figures stay until the new ones are there. The figures of the stored budget come with it.
 */
export function useFigures(form: BudgetForm, budget: Budget): FormFigures {
  const compute = useAction(computeBudgetFigures, { refreshes: [] })
  const isBusy = useRef(false)
  const [computed, setComputed] = useState<Computed>(() => {
    const stored = formOf(budget)
    return { request: requestOf(stored), keys: keysOf(form.sections), figures: budget }
  })
  const [failed, setFailed] = useState<{ request: string; error: CallError }>()
  const request = isReadable(form) ? requestOf(form) : undefined
  const latest = useRef(form)
  latest.current = form
  const { mutateAsync } = compute

  useEffect(() => {
    if (request === undefined || request === computed.request || request === failed?.request) return
    const timer = setTimeout(() => {
      // the reply under way changes the state, and this effect begins the next request
      if (isBusy.current) return
      isBusy.current = true
      const keys = keysOf(latest.current.sections)
      mutateAsync({ body: JSON.parse(request) })
        .then(
          figures => setComputed({ request, keys, figures }),
          (error: CallError) => setFailed({ request, error }),
        )
        .finally(() => {
          isBusy.current = false
        })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [request, computed.request, failed?.request, mutateAsync])

  const isStale = request !== computed.request
  // rows that changed places with equal ones have new keys and the same figures
  const keys = isStale ? computed.keys : keysOf(form.sections)
  const amounts = new Map(
    computed.figures.sections.flatMap(({ items }, section) =>
      items.map(({ subtotalCents }, item) => [keys[section]?.[item] ?? '', subtotalCents] as const),
    ),
  )
  return {
    figures: computed.figures,
    amounts,
    isStale,
    error: request !== undefined && failed?.request === request ? failed.error : undefined,
  }
}

function requestOf({ currency, sections, discounts }: BudgetForm): string {
  return JSON.stringify({ currency, sections: sectionsOf(sections), discounts: discountsOf(discounts) })
}
