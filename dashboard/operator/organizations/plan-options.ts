import { type Plan, plans } from '#contract/permissions.ts'
import { partTexts } from '../../identity/index.ts'
import type { Option } from '../../parts/choice.tsx'
import { planNames } from '../../shell/shell.words.ts'
import type { Language } from '../../words/words.ts'
import { planHas, planParts } from './plan.rules.ts'

/** The plans to choose from, each with its parts. */
export function planOptions(language: Language): Option<Plan>[] {
  return plans.map(value => ({
    value,
    label: planNames[value],
    hint: planParts
      .filter(id => planHas(value, id))
      .map(id => partTexts[language][id][0])
      .join(', '),
  }))
}
