/**
 * All but line breaks and tabs that a terminal would act on: a text from elsewhere is shown, not carried out.
 */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The text without characters that a terminal would act on. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '')
}
