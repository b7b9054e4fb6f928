import { type Html, html } from '#platform/http/html-page.ts'
import type { Language } from '#platform/language.ts'
import { consentTexts } from '../consent.ts'
import { texts } from './signing-page.texts.ts'

/** The form that declines a budget. */
export function declineForm(language: Language, action: string): Html {
  const t = texts[language]
  return html`<details><summary>${t.decline}</summary>
<form method="post" action="${action}">
<label for="reason">${t.reason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="1000"></textarea>
<button class="quiet">${t.declineNow}</button>
</form></details>`
}

/** The form that signs a budget. */
export function signForm(
  language: Language,
  { action, documentHash, name }: { action: string; documentHash: string; name: string },
): Html {
  const t = texts[language]
  return html`<form method="post" action="${action}">
<h2>${t.sign}</h2>
<input type="hidden" name="documentHash" value="${documentHash}">
<label for="name">${t.name}</label>
<input type="text" id="name" name="name" required maxlength="200" autocomplete="name" value="${name}">
<label class="tick"><input type="checkbox" name="consent" value="${language}" required>
<span>${consentTexts[language]}</span></label>
<button>${t.signNow}</button>
</form>
<p><small>${t.fingerprint}: <code>${documentHash}</code></small></p>`
}
