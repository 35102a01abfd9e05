/** Defines how the runner applies the settings that checks need. */
import type { SettingValues } from './settings.js';
import type { TargetInfo } from './target-info.js';

/** The settings of the target while checks run. See `apply-settings.ts`. */
export interface TargetSettings {
  /** What the kit knows about the target while no check has changed a setting. */
  readonly targetInfo: TargetInfo;
  /**
   * Runs `body` under these settings and restores the previous ones, however `body` ends.
   *
   * @param body receives what the kit knows about the target now and, if the settings could not be changed, the reason.
   * Without `--configure` it runs under the settings that the target has.
   */
  withSettings<T>(
    wanted: SettingValues,
    body: (targetInfo: TargetInfo, problem?: string) => Promise<T>,
  ): Promise<T>;
}
