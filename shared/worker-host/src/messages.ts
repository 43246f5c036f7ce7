/** The messages between a host and its thread. Everything in them is structured-cloned. */

export type MessageToThread<Task, Notice> =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'notice'; readonly notice: Notice }

/** `cpuMs` is the CPU time in milliseconds that the thread has used since it was started. */
export type MessageFromThread<Result> =
  | { readonly kind: 'began'; readonly cpuMs: number }
  | { readonly kind: 'done'; readonly cpuMs: number; readonly result: Result }
